#!/usr/bin/env python3
"""What full disks, mounted folders and folders that cannot be written do to `tain`: nothing is lost, no signal ends it, and
what it says names the file and what to do.

usage: mounts.py PROGRAM [TEST...]

Disks are small tmpfs, mounted in a namespace of this script, so that nothing of them is left on the machine. Where that is
not allowed it says so and ends with 77.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = "TAIN_MOUNTS_HERE"
TAIN = str(pathlib.Path(sys.argv[1]).resolve())
SAMPLE = "sample --target gaussian --dim 20 --chains 8 --warmup 100 --draws 1000 --checkpoint-every 400 -q -o".split()
NO_SIGNAL = (0, 66, 73, 74, 75, 78)


def enter_namespace():
    """Starts this script anew where it may mount, or ends it."""
    if os.environ.get(HERE):
        return
    ways = [["unshare", "--mount", "--propagation", "private"], ["unshare", "--user", "--map-root-user", "--mount"]]
    for way in ways[0 if os.geteuid() == 0 else 1:]:
        tried = subprocess.run([*way, "sh", "-c", "d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d && rmdir $d"],
                               capture_output=True, text=True)
        if tried.returncode == 0:
            os.execvpe(way[0], [*way, sys.executable, "-X", "utf8", *sys.argv], {**os.environ, HERE: "1"})
    print(f"not tried: no file system may be mounted here ({tried.stderr.strip()})")
    sys.exit(77)


def run(folder, words, stop=None):
    """How a command ended; at the failpoint `stop` it stopped and then() was called."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("TAIN_")}
    if stop is None:
        return subprocess.run([TAIN, *map(str, words)], cwd=folder, env=variables, capture_output=True, text=True)
    point, then = stop
    started = subprocess.Popen([TAIN, *map(str, words)], cwd=folder, env={**variables, "TAIN_FAILPOINT": f"{point}=stop"},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert os.WIFSTOPPED(os.waitpid(started.pid, os.WUNTRACED)[1]), started.communicate()
    then()
    started.send_signal(signal.SIGCONT)
    out, err = started.communicate()
    return subprocess.CompletedProcess(words, started.returncode, out, err)


def letters(number):
    """A word for a number."""
    return "word" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


class Mounted(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="tain-mounts-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.mount("size=64m")

    def mount(self, options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.disk], check=True)

    def fill(self, left):
        """Somebody else takes the disk, but for so many bytes."""
        state = os.statvfs(self.disk)
        with open(self.disk / "others", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(4096, state.f_bavail * state.f_frsize - left))

    def make_room(self):
        (self.disk / "others").unlink()

    def names(self, folder=None):
        return sorted(path.name for path in (folder or self.disk).iterdir())

    # ---- full disks ----------------------------------------------------------------------------

    def test_a_disk_that_fills_while_draws_are_written(self):
        """For every room that is left at the end, in steps that come between any two pieces that HDF5 writes: no signal, an
        error with what to do, and --resume gives the bytes of a run that nobody disturbed."""
        for ending, steps in (("nc", 97), ("csv", 9), ("npy", 5)):
            whole = self.folder / f"whole.{ending}"
            self.assertEqual(0, run(self.folder, [*SAMPLE, whole]).returncode)
            size = whole.stat().st_size
            failed = 0
            for step in range(steps):
                output = self.disk / f"y.{ending}"
                done = run(self.disk, [*SAMPLE, output.name], ("run/sampled", lambda: self.fill(40_000 + step * size // steps)))
                with self.subTest(ending=ending, step=step):
                    self.assertIn(done.returncode, (0, 74), done.stderr)
                    if done.returncode == 74:
                        failed += 1
                        self.assertRegex(done.stderr, rf"tain: y\.{ending}(\.manifest\.json)?: .*; the draws are kept in y\.{ending}\.run: "
                                         "make room, then go on with --resume\n")
                        self.assertNotIn(f".y.{ending}.tain-new", self.names())
                        self.make_room()
                        resumed = run(self.disk, [*SAMPLE, output.name, "--resume"])
                        self.assertEqual(0, resumed.returncode, resumed.stderr)
                    self.assertEqual(whole.read_bytes(), output.read_bytes())
                for name in self.names():
                    (self.disk / name).unlink()
            self.assertGreater(failed, steps / 2)

    def test_room_is_looked_at_before_and_while_a_run_goes_on(self):
        self.fill(2_900_000)
        done = run(self.disk, [*SAMPLE, "y.nc"])
        self.assertEqual(73, done.returncode)
        self.assertRegex(done.stderr, r"tain: --output y\.nc: takes 2.* MB of disk, .* are free; free some space, write elsewhere, or ask "
                         "for fewer draws or chains, or --thin\n")
        self.assertEqual(["others"], self.names())
        self.make_room()
        words = [word for word in SAMPLE if word != "-q"]
        warned = run(self.disk, [*words, "y.nc"], ("checkpoint/written", lambda: self.fill(1_000_000)))
        self.assertEqual(74, warned.returncode, warned.stderr)
        self.assertRegex(warned.stderr, r"y\.nc will take 2.* MB, only .* are free now: make room before the run ends; what is drawn is kept")
        self.assertEqual(1, warned.stderr.count("make room before"))

    def test_a_disk_that_fills_while_a_model_is_written(self):
        """The old model is there, the training goes on, and the model is that of a training nobody disturbed."""
        run(self.folder, "corpus synthesize --docs 600 --topics 5 --vocab-size 900 -o corpus -q".split())
        train = ["lda", "train", self.folder / "corpus", "-k", "20", "--passes", "3", "-q"]
        whole, model = self.folder / "whole", self.disk / "model"
        self.assertEqual(0, run(self.folder, [*train, "-o", whole]).returncode)
        size = sum(path.stat().st_size for path in whole.iterdir())
        for step in range(6):
            self.assertEqual(0, run(self.disk, [*train, "--seed", "9", "-o", "model", "--force"]).returncode)
            before = (model / "topics.npy").read_bytes()
            done = run(self.disk, [*train, "-o", "model", "--force"], ("run/trained", lambda: self.fill(step * size // 8)))
            with self.subTest(step=step):
                self.assertEqual(74, done.returncode, done.stderr)
                self.assertRegex(done.stderr, "; the training is kept in model/checkpoint.bin: make room, then go on with --resume\n")
                self.assertEqual(0, run(self.disk, ["lda", "topics", "model"]).returncode)
                self.assertEqual(before, (model / "topics.npy").read_bytes())
                self.make_room()
                resumed = run(self.disk, [*train, "-o", "model", "--resume"])
                self.assertEqual(0, resumed.returncode, resumed.stderr)
                for name in ("topics.npy", "dual.npy", "draws.npy", "vocab.txt"):
                    self.assertEqual((whole / name).read_bytes(), (model / name).read_bytes())
                self.assertEqual(self.names(whole), self.names(model))
        self.fill(100_000)
        done = run(self.disk, [*train, "-o", "another"])
        self.assertEqual(73, done.returncode)
        self.assertRegex(done.stderr, "tain: --output another: takes .* of disk, .* are free; free some space, write elsewhere, or keep fewer "
                         "draws by --keep-draws 0\n")

    def test_a_disk_that_fills_while_a_corpus_is_written(self):
        text = self.folder / "texts.txt"
        text.write_text("".join(" ".join(letters(d * i % 5003) for i in range(60)) + "\n" for d in range(4000)))
        words = ["corpus", "import", text, "-o", "c", "--min-df", "1", "--max-df", "1", "-q", "--memory", "16M"]
        self.assertEqual(0, run(self.folder, words).returncode)
        size = sum(path.stat().st_size for path in (self.folder / "c").iterdir())
        (self.folder / "old.txt").write_text("an old document\n")
        for step in range(6):
            run(self.disk, ["corpus", "import", self.folder / "old.txt", "-o", "c", "--min-df", "1", "--max-df", "1", "-q"])
            before = {name: (self.disk / "c" / name).read_bytes() for name in self.names(self.disk / "c")}
            self.fill(step * size // 6)
            done = run(self.disk, [*words, "--force"])
            with self.subTest(step=step):
                self.assertEqual(74, done.returncode, done.stderr)
                self.assertIn("No space left on device; free some space or write elsewhere", done.stderr)
                self.assertEqual(before, {name: (self.disk / "c" / name).read_bytes() for name in self.names(self.disk / "c")})
                self.make_room()
        self.assertEqual(0, run(self.disk, [*words, "--force"]).returncode)
        self.assertEqual((self.folder / "c/corpus.bin").read_bytes(), (self.disk / "c/corpus.bin").read_bytes())

    def test_an_endless_pipe_stops_at_the_limit(self):
        with open("/dev/zero", "rb") as endless:
            done = subprocess.run([TAIN, "corpus", "import", "-", "--format", "text", "-o", "c", "-q"], cwd=self.disk, stdin=endless,
                                  capture_output=True, text=True)
        self.assertEqual(78, done.returncode, done.stderr)
        self.assertRegex(done.stderr, "tain: --scratch: temporary files take more than 5.* MB, the most of what is free; give more of it, or a "
                         "source that has an end and is no pipe\n")
        self.assertEqual([], self.names())

    # ---- mounts --------------------------------------------------------------------------------

    def test_a_mounted_folder_is_an_output_like_others(self):
        for number, text in enumerate(("one two three\n", "four five\n")):
            (self.folder / f"{number}.txt").write_text(text)
            done = run(self.folder, ["corpus", "import", f"{number}.txt", "-o", "disk", "--min-df", "1", "--max-df", "1", "-q"] +
                       ["--force"] * number)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertRegex(run(self.folder, ["corpus", "show", "disk"]).stdout, rf"tokens +{3 - number},")
        for name in self.names():
            (self.disk / name).unlink()
        run(self.folder, "corpus synthesize --docs 300 --topics 5 --vocab-size 200 -o corpus -q".split())
        for seed in "12":
            done = run(self.folder, "lda train corpus -k 5 --passes 1 -o disk -q --force --seed".split() + [seed])
            self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(0, run(self.folder, "lda topics disk".split()).returncode)
        self.assertEqual([], [name for name in self.names() if name.startswith(".")])

    def test_a_file_that_is_mounted_is_refused_before_the_work(self):
        page = self.folder / "page.html"
        page.write_text("precious")
        subprocess.run(["mount", "--bind", page, page], check=True)
        self.addCleanup(subprocess.run, ["umount", page], check=True)
        done = run(self.folder, [*SAMPLE, "y.nc", "--report", "page.html", "--force"])
        self.assertEqual(73, done.returncode)
        self.assertEqual("tain: --report page.html: is mounted by itself and cannot be replaced; mount the folder that it is in, or give "
                         "another name\n", done.stderr)
        self.assertEqual("precious", page.read_text())

    def test_folders_that_cannot_be_written(self):
        run(self.disk, "corpus synthesize --docs 100 --topics 5 --vocab-size 200 -o c -q".split())
        run(self.disk, "lda train c -k 2 --passes 1 -o m -q".split())
        run(self.disk, [*SAMPLE, "y.nc"])
        before = sorted(self.disk.rglob("*"))
        subprocess.run(["mount", "-o", "remount,ro", self.disk], check=True)
        for words in (SAMPLE + ["z.nc"], SAMPLE + ["y.nc", "--force"], ["lda", "train", "c", "-k", "2", "-o", "m", "--resume", "--passes", "9"],
                      ["lda", "train", "c", "-k", "2", "-o", "n"], ["corpus", "export", "c", "-o", "c.mm"], ["report", "y.nc", "-o", "y.html"],
                      ["corpus", "synthesize", "-o", "c", "--force"], ["corpus", "synthesize", "-o", "d"],
                      ["lda", "infer", "m", "c", "-o", "p.npy"], ["lda", "export", "m", "--format", "gensim", "-o", "g"],
                      ["lda", "report", "m", "-o", "m.html"]):
            done = run(self.disk, words)
            with self.subTest(words=words):
                self.assertEqual(73, done.returncode, done.stderr)
                self.assertRegex(done.stderr, r"tain: --output \S+: Read-only file system; write elsewhere\n")
        self.assertEqual(before, sorted(self.disk.rglob("*")))


enter_namespace()
unittest.main(argv=[sys.argv[0], *(f"Mounted.{name}" for name in sys.argv[2:])], verbosity=2)
