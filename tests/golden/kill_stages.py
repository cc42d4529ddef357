#!/usr/bin/env python3
"""Kills `tain sample`, `tain lda train` and `tain corpus import` with SIGKILL at every stage that a whole run passes, from its
first file to its last, resumes or repeats, and compares: the same bytes, nothing left over, and `already finished` where there
was nothing left to do. What is replaced is whole until the new is.

usage: kill_stages.py PROGRAM sample|train|import

The stages are those of TAIN_FAILPOINT_LOG, each passage of each, and counts of steps, draws and documents between them. The
run that resumes is killed too, some stages later, and resumed once more on another number of threads.
"""
import collections
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TAIN = str(pathlib.Path(sys.argv[1]).resolve())
FEWEST_STAGES = 30
LATER = 5
TIMES = ("seconds", "training_seconds", "cpu_seconds")


def run(folder, words, stage=None, log=None):
    """How a command ended and what it printed; killed at a stage if one is given."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("TAIN_")}
    if stage:
        variables["TAIN_FAILPOINT"] = f"{stage}=kill"
    if log:
        variables["TAIN_FAILPOINT_LOG"] = str(log)
    return subprocess.run([TAIN, *words], cwd=folder, env=variables, capture_output=True, text=True)


def stages_of(folder, words, counts):
    """Every passage of every failpoint of a whole run, as NAME:COUNT, and the counts."""
    log = folder / "log"
    whole = run(folder, words, log=log)
    assert whole.returncode == 0, whole.stderr
    passed, stages = collections.Counter(), []
    for name in log.read_text().splitlines():
        passed[name] += 1
        stages.append(f"{name}:{passed[name]}")
    log.unlink()
    return whole, stages + counts


class Stages(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="tain-stages-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def kill_everywhere(self, words, counts, contents, fewest=FEWEST_STAGES):
        """`contents(folder)`: what must be the same, of a folder in which nothing else is left."""
        whole = self.folder / "whole"
        whole.mkdir()
        self.prepare(whole)
        printed, stages = stages_of(whole, [*words, "--threads", "2"], counts)
        expected = contents(whole)
        self.assertGreaterEqual(len(stages), fewest)
        for number, stage in enumerate(stages):
            with self.subTest(stage=stage):
                folder = self.folder / f"stage-{number}"
                folder.mkdir()
                self.prepare(folder)
                killed = run(folder, words, stage)
                self.assertEqual(-9, killed.returncode, killed.stderr)
                resumed = run(folder, [*words, "--resume", "--threads", "1"], stages[(number + LATER) % len(stages)])
                self.assertIn(resumed.returncode, (0, -9), resumed.stderr)
                last = run(folder, [*words, "--resume", "--threads", "2"])
                self.assertEqual(0, last.returncode, last.stderr)
                self.assertEqual(self.said(printed), self.said(last))
                self.assertEqual(expected, contents(folder))
                # Once more, of what is finished: that is no error, and changes nothing.
                again = run(folder, [*words, "--resume"])
                self.assertEqual(0, again.returncode, again.stderr)
                self.assertEqual(expected, contents(folder))
                shutil.rmtree(folder)

    def prepare(self, folder):
        """What a run reads."""

    def said(self, done):
        return done.stdout


class Sample(Stages):
    WORDS = "sample --target dirichlet --counts 12,3,0,5 --alpha 0.5 --chains 9 --warmup 60 --draws 100 --thin 2 --checkpoint-every 40 -o".split()
    COUNTS = ["steps:1", "steps:30", "steps:60", "draws:1", "draws:39", "draws:41", "draws:99", "draws:100"]

    @staticmethod
    def contents(folder):
        return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(".manifest.json")}

    def kill_with(self, output, fewest=FEWEST_STAGES):
        self.kill_everywhere([*self.WORDS, output], self.COUNTS, self.contents, fewest)

    def test_netcdf(self):
        self.kill_with("draws.nc")

    def test_npy(self):
        self.kill_with("draws.npy")

    def test_csv(self):
        self.kill_with("draws.csv")

    def test_a_page_beside_it(self):
        self.WORDS = [*self.WORDS[:-1], "--report", "page.html", "-o"]

        def contents(folder):  # the page tells times
            return {name: data for name, data in self.contents(folder).items() if name != "page.html"} | {
                "page": (folder / "page.html").exists()}
        self.kill_everywhere([*self.WORDS, "draws.npy"], self.COUNTS, contents)


class Train(Stages):
    WORDS = "lda train corpus -k 5 --passes 3 --eval-every 200 --checkpoint-every 200 -o model --quiet".split()
    COUNTS = ["steps:1", "documents:190", "documents:210", "documents:450", "documents:800"]

    def prepare(self, folder):
        made = run(folder, "corpus synthesize --docs 300 --topics 4 --vocab-size 200 -o corpus --quiet".split())
        self.assertEqual(0, made.returncode, made.stderr)

    def said(self, done):
        return [line for line in done.stdout.splitlines() if line.startswith(("ok", "FAIL", "note", "Trust", "Do not"))]

    @staticmethod
    def contents(folder):
        files = {path.name: path.read_bytes() for path in (folder / "model").iterdir()}
        with open(folder / "model/history.csv", newline="") as file:
            history = [{key: value for key, value in row.items() if key not in TIMES} for row in csv.DictReader(file)]
        timed = ("history.csv", "manifest.json", "README.md", "checkpoint.bin")  # they tell seconds
        return {name: None if name in timed else data for name, data in files.items()} | {"history": history}

    def test_training(self):
        self.kill_everywhere(self.WORDS, self.COUNTS, self.contents)

    def test_another_method(self):
        self.kill_everywhere([*self.WORDS, "--method", "smld-approximate", "--optimize-alpha"], self.COUNTS, self.contents)


    def test_what_is_replaced_is_there_until_then(self):
        """With --force over a model and a stopped training of another: at any stage the model, or the new one, is whole."""
        old = [*self.WORDS[:-3], "--seed", "7", "-o", "model", "--quiet"]
        new = [*self.WORDS, "--force"]
        whole = self.folder / "whole"
        whole.mkdir()
        self.prepare(whole)
        self.assertEqual(0, run(whole, old).returncode)
        before = (whole / "model/topics.npy").read_bytes()
        _, stages = stages_of(whole, new, self.COUNTS)
        after = self.contents(whole)
        seen = collections.Counter()
        for number, stage in enumerate(stages):
            with self.subTest(stage=stage):
                folder = self.folder / f"stage-{number}"
                shutil.copytree(self.folder / "whole/corpus", folder / "corpus")
                self.assertEqual(0, run(folder, old).returncode)
                self.assertEqual(-9, run(folder, new, stage).returncode)
                shown = run(folder, ["lda", "topics", "model"])
                if shown.returncode != 0:
                    self.assertIn("was being replaced", shown.stderr)
                    seen["between"] += 1
                else:
                    topics = (folder / "model/topics.npy").read_bytes()
                    self.assertIn(topics, (before, after["topics.npy"]))
                    seen["old" if topics == before else "new"] += 1
                # Refused or not, the next command that wants the folder mends it.
                self.assertNotEqual(0, run(folder, [*self.WORDS, "--resume", "--seed", "9"]).returncode)
                self.assertEqual(0, run(folder, ["lda", "topics", "model"]).returncode)
                last = run(folder, [*self.WORDS, "--resume", "--seed", "1"])
                if "seed was 7" in last.stderr:  # killed before it had begun
                    last = run(folder, new)
                self.assertEqual(0, last.returncode, last.stderr)
                self.assertEqual(after, self.contents(folder))
                shutil.rmtree(folder)
        self.assertGreater(min(seen["old"], seen["between"]), 2, seen)
        self.assertGreater(seen["new"], 0, seen)


class Import(Stages):
    """A corpus that replaces another, in a folder in which somebody keeps a file."""
    WORDS = "corpus import new.tsv -o corpus --min-df 1 --max-df 1 --quiet".split()
    COUNTS = ["documents:1", "documents:30"]

    def prepare(self, folder):
        def lines(word, count):
            return "".join(f"{d}\ttitle {d}\t{word} number {d} of {count}\n" for d in range(count))
        (folder / "new.tsv").write_text(lines("new", 30))
        (folder / "old.txt").write_text("an old document\n" * 9)
        made = run(folder, "corpus import old.txt -o corpus --min-df 1 --max-df 1 --quiet".split())
        self.assertEqual(0, made.returncode, made.stderr)
        (folder / "corpus/mine.txt").write_text("mine")

    @staticmethod
    def contents(folder):
        return {path.name: path.read_bytes() for path in (folder / "corpus").iterdir()}

    def test_import(self):
        whole = self.folder / "whole"
        whole.mkdir()
        self.prepare(whole)
        old = self.contents(whole)
        _, stages = stages_of(whole, [*self.WORDS, "--force"], self.COUNTS)
        new = self.contents(whole)
        self.assertGreater(len(stages), 10)
        self.assertEqual({"corpus.bin", "vocab.txt", "documents.tsv", "manifest.json", "mine.txt"}, set(new))
        seen = collections.Counter()
        for number, stage in enumerate(stages):
            with self.subTest(stage=stage):
                folder = self.folder / f"stage-{number}"
                folder.mkdir()
                self.prepare(folder)
                killed = run(folder, [*self.WORDS, "--force"], stage)
                self.assertEqual(-9, killed.returncode, killed.stderr)
                shown = run(folder, ["corpus", "show", "corpus"])
                if shown.returncode != 0:
                    self.assertIn("corpus: was being replaced when that was stopped", shown.stderr)
                    seen["between"] += 1
                # Refused, but it mends the folder.
                refused = run(folder, self.WORDS)
                self.assertEqual(73, refused.returncode, refused.stderr)
                self.assertIn(self.contents(folder), (old, new))
                seen["old" if self.contents(folder) == old else "new"] += 1
                self.assertEqual(-9, run(folder, [*self.WORDS, "--force"], stages[(number + LATER) % len(stages)]).returncode)
                last = run(folder, [*self.WORDS, "--force"])
                self.assertEqual(0, last.returncode, last.stderr)
                self.assertEqual(new, self.contents(folder))
                shutil.rmtree(folder)
        self.assertGreater(min(seen["old"], seen["new"], seen["between"]), 2, seen)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], sys.argv[2].capitalize()], verbosity=2)
