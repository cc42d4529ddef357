#!/usr/bin/env python3
"""The first Ctrl-C or SIGTERM ends every command that waits for input, wherever that stalls.

usage: stalled_input.py PROGRAM LIBRARY    LIBRARY: hang.c, loaded before the program
"""
import contextlib
import errno
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TAIN, HANG = (os.path.realpath(path) for path in sys.argv[1:3])
GUARD_SECONDS = 60  # far more than any ending takes
FOREIGN = ("TAIN_", "OMPI_", "PMIX_", "PMI_", "SLURM_", "LC_", "LANG", "COLUMNS", "NO_COLOR", "TERM")
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}, "LC_ALL": "C.UTF-8"}


def tain(arguments, folder, **more):
    return subprocess.Popen([TAIN, *arguments.split()], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **{"stdin": subprocess.DEVNULL, "env": ENVIRONMENT, **more})


@contextlib.contextmanager
def writer_of(pipe, process):
    """The writing end of a named pipe, once the process reads."""
    while True:
        try:
            descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError as error:
            if error.errno != errno.ENXIO or process.poll() is not None:
                raise AssertionError(f"{process.args} did not read {pipe}: {process.stderr.read()}") from error
            time.sleep(0.01)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


class Stalled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        for command in ("corpus synthesize --docs 30 --vocab-size 40 -o corpus -q", "lda train corpus -k 2 --steps 3 -o model -q"):
            process = tain(command, cls.folder)
            process.communicate(timeout=GUARD_SECONDS)
        (cls.folder / "texts.txt").write_text("a cat sat\na dog sat\n")

    def pipe(self, name):
        path = self.folder / name
        os.mkfifo(path)
        self.addCleanup(path.unlink)
        return path

    def ended(self, process):
        _, errors = process.communicate(timeout=GUARD_SECONDS)
        self.assertEqual(130, process.returncode, errors)
        self.assertRegex(errors, "stopped while no input came|stopped: nothing was written")

    # Every option and argument that names input.
    COMMANDS = {
        "in.toml": ["sample in.toml"],
        "in.json": ["sample in.json"],
        "numbers": ["sample --target gaussian --mean @numbers", "sample --target gaussian --covariance numbers",
                    "sample --target gaussian --dim 2 --start @numbers", "sample --target linear-regression --data numbers"],
        "draws.csv": ["diagnose draws.csv", "report draws.csv -o page.html"],
        "draws.npy": ["diagnose draws.npy"],
        "source": ["corpus import source -o made", "corpus import texts.txt --vocab source -o made",
                   "corpus import texts.txt --stop-words source -o made", "lda infer model source -o out.csv",
                   "lda infer model corpus.ldac --vocab source -o out.csv"],
        "model/history.csv": ["lda topics model"],
    }

    def test_pipes_that_nobody_writes_to(self):
        (self.folder / "corpus.ldac").write_text("1 0:2\n")
        history = self.folder / "model" / "history.csv"
        history.rename(self.folder / "history")
        for name, commands in self.COMMANDS.items():
            for command in commands:
                for by in (signal.SIGINT, signal.SIGTERM):
                    with self.subTest(command=command, by=by):
                        path = self.folder / name
                        os.mkfifo(path)
                        try:
                            process = tain(command, self.folder)
                            with writer_of(path, process):
                                process.send_signal(by)
                                self.ended(process)
                        finally:
                            path.unlink()
                            process.kill()
                            process.communicate()
        (self.folder / "history").rename(history)

    def test_pipes_that_stop_half_way(self):
        for command, text in (("corpus import source -o made", b"a cat sat\n" * 50_000), ("diagnose source.csv", b"a,b\n1,2\n")):
            with self.subTest(command=command):
                pipe = self.pipe(command.split()[-1] if "diagnose" in command else "source")
                process = tain(command, self.folder)
                self.addCleanup(process.kill)
                with writer_of(pipe, process) as descriptor:
                    os.set_blocking(descriptor, True)
                    while text:
                        text = text[os.write(descriptor, text):]
                    process.send_signal(signal.SIGTERM)
                    self.ended(process)

    def test_standard_input(self):
        for command in ("corpus import - -o made", "lda infer model - -o out.csv"):
            with self.subTest(command=command):
                ours, theirs = os.pipe()
                process = tain(command, self.folder, stdin=ours)
                self.addCleanup(process.kill)
                os.close(ours)
                os.write(theirs, b"a cat sat\n" * 100)
                while os.path.exists(f"/proc/{process.pid}") and "poll" not in self.waits_in(process.pid):
                    time.sleep(0.01)
                process.send_signal(signal.SIGINT)
                self.ended(process)
                os.close(theirs)

    @staticmethod
    def waits_in(pid):
        """Where the kernel keeps the main thread: "poll_schedule_timeout"; "poll" where it does not tell."""
        try:
            text = pathlib.Path(f"/proc/{pid}/wchan").read_text()
        except OSError:
            return "poll"
        asleep = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
        return "poll" if asleep and text in ("", "0") else text

    # A read that no handler interrupts: of a disk or a server that hangs. The process ends by the signal itself.
    def test_reads_that_hang(self):
        (self.folder / "hung.csv").write_text("a,b\n1,2\n")
        for by in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(by=by):
                process = tain("diagnose hung.csv", self.folder,
                               env={**ENVIRONMENT, "LD_PRELOAD": HANG, "TAIN_HANGS": "hung.csv"})
                self.addCleanup(process.kill)
                status = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
                while process.poll() is None and not status.read_text().split():
                    time.sleep(0.01)  # until the child that keeps it waiting is there
                process.send_signal(by)
                _, errors = process.communicate(timeout=GUARD_SECONDS)
                self.assertEqual(-by, process.returncode, errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
