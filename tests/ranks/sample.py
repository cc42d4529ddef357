#!/usr/bin/env python3
"""`tain sample` over MPI: the files and the table of one process, and stopped runs that go on with other numbers of ranks.

usage: sample.py PROGRAM bits|stops
"""
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from launcher import command, done, run, same_bytes, variables

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
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.words = (TAIN, "sample", "--target", "gaussian", "--dim", "50", "--chains", "16", "--warmup", "200",
                      "--draws", "400", "--thin", "2000", "--threads", "1", "--checkpoint-seconds", "0.2", "-q", "-o")
        self.whole, self.part = f"{self.folder.name}/whole.npy", f"{self.folder.name}/part.npy"
        done(0, *self.words, self.whole)

    def start(self, ranks):
        """The run, once it has a checkpoint."""
        process = subprocess.Popen(command(ranks, *self.words, self.part), env=variables(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        checkpoint = pathlib.Path(self.part + ".run") / "checkpoint"
        for _ in range(3000):
            if checkpoint.exists():
                return process
            self.assertIsNone(process.poll(), "it ended before its first checkpoint")
            time.sleep(0.01)
        self.fail("no checkpoint")

    def resume(self, ranks):
        done(ranks, *self.words, self.part, "--resume")
        self.assertTrue(same_bytes(self.whole, self.part))

    def test_a_rank_that_is_killed(self):
        process = self.start(3)
        children = subprocess.run(["pgrep", "-P", str(process.pid), "-x", "tain"], capture_output=True, text=True)
        subprocess.run(["kill", "-9", children.stdout.split()[1]], check=True)
        error = process.communicate()[1]
        self.assertNotEqual(0, process.returncode)
        self.assertIn("go on with --resume", error)
        self.resume(2)

    def test_a_stop_that_is_asked_for(self):
        process = self.start(2)
        process.send_signal(signal.SIGUSR1)
        error = process.communicate()[1]
        self.assertEqual(75, process.returncode, error)
        self.resume(0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], sys.argv[2].capitalize()], verbosity=2)
