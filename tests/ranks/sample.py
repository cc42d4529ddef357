#!/usr/bin/env python3
"""`tain sample` over MPI: the files and the table of one process, and stopped runs that go on with other numbers of ranks.

usage: sample.py PROGRAM bits|stops
"""
import sys
import tempfile
import unittest

from launcher import done, run, same_bytes

TAIN = sys.argv[1]


class Bits(unittest.TestCase):
    def test_draws_and_table_are_those_of_one_process(self):
        words = (TAIN, "sample", "--target", "dirichlet", "--counts", "30,10,0,2", "--chains", "7", "--warmup", "200",
                 "--draws", "200", "--exact", "-q", "-o")
        with tempfile.TemporaryDirectory() as folder:
            table = done(0, *words, f"{folder}/0.nc")
            for ranks in (2, 3):
                self.assertEqual(table, done(ranks, *words, f"{folder}/{ranks}.nc"))
                self.assertTrue(same_bytes(f"{folder}/0.nc", f"{folder}/{ranks}.nc"))

    def test_a_chain_that_is_lost_ends_all_with_one_message(self):
        words = (TAIN, "sample", "--target", "gaussian", "--dim", "2", "--kernel", "mld", "--step-size", "50",
                 "--chains", "5", "--draws", "3000", "-q")
        alone, many = run(0, *words), run(3, *words)
        self.assertEqual(65, alone.returncode, alone.stderr)
        self.assertEqual(65, many.returncode, many.stderr)
        said = [line for line in many.stderr.splitlines() if line.startswith("tain: ")]
        self.assertEqual(alone.stderr.splitlines(), said)


class Stops(unittest.TestCase):
    """Ranks that signal themselves after 200 draws, just before the second checkpoint."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tain-ranks-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.words = (TAIN, "sample", "--target", "gaussian", "--dim", "50", "--chains", "16", "--warmup", "200",
                     "--draws", "400", "--thin", "200", "--threads", "1", "--checkpoint-every", "100", "-q", "-o")
        done(0, *cls.words, f"{cls.folder}/whole.npy")

    def check(self, part, ranks, signals, code, ranks_then):
        failpoints = {rank: f"draws:200={signal}" for rank, signal in signals.items()}
        result = run(ranks, *self.words, part, failpoints=failpoints)
        self.assertEqual(code, result.returncode, result.stderr)
        done(ranks_then, *self.words, part, "--resume")
        self.assertTrue(same_bytes(f"{self.folder}/whole.npy", part))

    def test_a_rank_that_is_killed(self):
        for victim, ranks_then in ((0, 0), (1, 2)):
            self.check(f"{self.folder}/without{victim}.npy", 3, {victim: "kill"}, 137, ranks_then)

    def test_a_stop_that_is_asked_for(self):
        for asked in ((0, 1), (1,)):  # launchers tell all ranks; one that was told is enough
            self.check(f"{self.folder}/stopped{len(asked)}.npy", 2, dict.fromkeys(asked, "usr1"), 75, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], sys.argv[2].capitalize()], verbosity=2)
