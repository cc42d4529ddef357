"""Runs the program over MPI on this machine, for tests: as root too, on fewer cores than ranks, and beside other tests."""
import contextlib
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time

ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "LC_ALL": "C.UTF-8",
}
# Variables that would change what the program or the launcher does.
FOREIGN = ("TAIN_", "OMPI_", "PMIX_", "PMI_", "PRTE_", "SLURM_", "LC_", "LANG", "NO_COLOR", "TERM", "COLUMNS")
HANGS = 900  # seconds: a guard, never what a test waits for


def command(ranks, *words, failpoints=None):
    """A command line for so many ranks; without MPI if there are none. failpoints: {rank: its TAIN_FAILPOINT}, or "start"
    for a rank that dies before it is the program."""
    words = [str(word) for word in words]
    if not ranks:
        return words
    if not failpoints:
        return ["mpirun", "-np", str(ranks), *words]
    # One part of the launch for each, so that ranks can have variables of their own.
    line = ["mpirun"]
    for rank in range(ranks):
        moment = failpoints.get(rank)
        first = [] if moment is None else ["sh", "-c", "kill -9 $$"] if moment == "start" else ["env", f"TAIN_FAILPOINT={moment}"]
        line += [*([":"] if rank else []), "-np", "1", *first, *words]
    return line


def variables(**others):
    own = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    return dict(own, **ENVIRONMENT, **others)


def run(ranks, *words, failpoints=None, **others):
    line = command(ranks, *words, failpoints=failpoints)
    process = subprocess.Popen(line, env=variables(**others), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    try:
        out, err = process.communicate(timeout=HANGS)
    finally:
        if process.poll() is None:
            process.terminate()  # not killed: a launcher that is told to end ends its ranks
            process.wait()
    return subprocess.CompletedProcess(line, process.returncode, out, err)


def done(ranks, *words):
    """What a run that must succeed printed."""
    result = run(ranks, *words)
    assert result.returncode == 0, f"{' '.join(command(ranks, *words))} ended with {result.returncode}:\n{result.stderr}"
    return result.stdout


def same_bytes(one, other):
    return pathlib.Path(one).read_bytes() == pathlib.Path(other).read_bytes()


class Launched:
    """A launch that goes on while a test looks at it. Its ranks write their errors, and the failpoints that they pass, to a
    pipe of the test: the launcher would hold them back while it waits for ranks to end. Nothing of it outlives the block."""

    def __init__(self, ranks, *words, failpoints=None, **others):
        self.folder = tempfile.TemporaryDirectory(prefix="tain-launch-")
        pipe = os.path.join(self.folder.name, "pipe")
        os.mkfifo(pipe)
        self.pipe = os.open(pipe, os.O_RDWR)  # writers come and go
        self.lines, self.pids, self.handles, self.rest = [], {}, [], b""
        wrapped = ("sh", "-c", 'echo "rank $OMPI_COMM_WORLD_RANK $$" > "$0"; exec "$@" 2> "$0"', pipe, *words)
        # What the launcher leaves in TMPDIR when it is killed goes with the folder.
        self.process = subprocess.Popen(
            command(ranks, *wrapped, failpoints=failpoints),
            env=variables(TAIN_FAILPOINT_LOG=pipe, TMPDIR=self.folder.name, **others), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.ended = os.pidfd_open(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self._read_all()  # ranks that have started
        for handle in self.handles:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        for handle in (self.pipe, self.ended, *self.handles):
            os.close(handle)
        self.folder.cleanup()

    def talk(self):
        return "\n".join(self.lines)

    def wait_for(self, count, text):
        """Until so many lines have this text in them."""
        while sum(text in line for line in self.lines) < count:
            ready, _, _ = select.select([self.pipe, self.ended], [], [], HANGS)
            assert self.pipe in ready, f"{'it ended' if ready else 'it hangs'} without saying '{text}':\n{self.talk()}"
            self._read()

    def wait_for_death(self, rank):
        """Until the launcher has taken note of it."""
        while os.path.exists(f"/proc/{self.pids[rank]}"):
            assert self.process.poll() is None, self.talk()
            time.sleep(0.01)  # nobody is told when a parent reaps: the state itself is looked at

    def wait(self):
        """The exit status."""
        code = self.process.wait(HANGS)
        self._read_all()
        return code

    def _read_all(self):
        while select.select([self.pipe], [], [], 0)[0]:
            self._read()

    def _read(self):
        *lines, self.rest = (self.rest + os.read(self.pipe, 65536)).split(b"\n")
        for line in lines:
            self.lines.append(line.decode())
            if line.startswith(b"rank "):
                _, rank, pid = line.split()
                self.pids[int(rank)] = int(pid)
                with contextlib.suppress(ProcessLookupError):
                    self.handles.append(os.pidfd_open(int(pid)))  # no other process can take its place
