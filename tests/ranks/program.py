#!/usr/bin/env python3
"""How the program behaves under a launcher, whatever it computes.

usage: program.py PROGRAM
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from launcher import command, done, run, variables

TAIN = sys.argv[1]


class Program(unittest.TestCase):
    def test_help_and_version_are_printed_once(self):
        alone = run(0, TAIN, "--version").stdout
        self.assertEqual(alone, run(3, TAIN, "--version").stdout)
        self.assertEqual(run(0, TAIN, "lda", "train", "--help").stdout, run(2, TAIN, "lda", "train", "--help").stdout)

    def test_other_commands_refuse(self):
        result = run(2, TAIN, "maps")
        self.assertEqual(64, result.returncode)
        self.assertEqual("", result.stdout)
        self.assertEqual(1, result.stderr.count("tain: ranks: `tain maps` runs in one process; start it without mpirun"))

    def test_one_rank_is_a_process_by_itself(self):
        self.assertEqual(run(0, TAIN, "maps").stdout, run(1, TAIN, "maps").stdout)

    def test_ranks_can_be_declined(self):
        result = run(2, "env", "TAIN_MPI=none", TAIN, "maps")
        self.assertEqual(2, result.stdout.count("simplex "))

    def test_an_error_is_said_once_and_its_code_is_the_exit_status(self):
        for words, code in ((("lda", "train", "/no/such/corpus", "-k", "5", "-o", "/tmp/never"), 66),
                            (("lda", "train", "--no-such-flag"), 64),
                            (("sample", "--target", "no-such-target"), 64)):
            alone = run(0, TAIN, *words)
            self.assertEqual(code, alone.returncode, alone.stderr)
            result = run(3, TAIN, *words)
            self.assertEqual(code, result.returncode, result.stderr)
            said = [line for line in result.stderr.splitlines() if line.startswith("tain: ")]
            self.assertEqual(alone.stderr.splitlines(), said)

    def test_a_plug_in_that_is_missing_is_told(self):
        result = run(2, "env", "TAIN_MPI=/no/such/file.so", TAIN, "sample", "--target", "dirichlet", "--counts", "1,2")
        self.assertEqual(78, result.returncode)
        self.assertEqual(1, result.stderr.count("started as rank 0 of 2, but libtain_mpi.so is not there"))

    def test_tasks_without_mpi_are_told(self):
        slurm = dict(variables(), SLURM_PROCID="0", SLURM_STEP_NUM_TASKS="4")
        result = subprocess.run([TAIN, "sample", "--target", "dirichlet", "--counts", "1,2"], env=slurm,
                                capture_output=True, text=True)
        self.assertEqual(78, result.returncode)
        self.assertRegex(result.stderr, re.escape("use srun --mpi=pmix"))
        # The steps of a batch script may each have their own work.
        self.assertEqual(0, subprocess.run([TAIN, "maps"], env=slurm, capture_output=True).returncode)


class Ends(unittest.TestCase):
    """What becomes of a training that is told to stop, or loses a rank."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tain-ranks-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        done(0, TAIN, "corpus", "synthesize", "--docs", "500", "--vocab-size", "300", "-o", self.folder / "corpus", "--quiet")

    def train(self):
        """A training on two ranks that has written its first checkpoint."""
        running = subprocess.Popen(command(2, TAIN, "lda", "train", self.folder / "corpus", "-k", "10", "--passes", "100000",
                                           "--threads", "1", "-o", self.folder / "model"),
                                   # ranks that are told to end may have slow cores
                                   env=dict(variables(), OMPI_MCA_odls_base_sigkill_timeout="2"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(running.kill)
        while not (self.folder / "model/checkpoint.bin").exists() and running.poll() is None:
            time.sleep(0.02)
        return running

    def test_a_signal_passed_on_stops_it_with_a_checkpoint(self):
        running = self.train()
        running.send_signal(signal.SIGUSR1)
        _, talk = running.communicate(timeout=60)
        self.assertEqual(75, running.returncode, talk)
        self.assertEqual(1, talk.count("interrupted after"), talk)

    def test_a_rank_that_dies_ends_it_and_another_says_how_to_go_on(self):
        for victim in (0, 1):
            running = self.train()
            time.sleep(0.5)
            children = [int(child) for task in pathlib.Path(f"/proc/{running.pid}/task").iterdir()
                        for child in (task / "children").read_text().split()]
            os.kill(sorted(children)[victim], signal.SIGKILL)
            _, talk = running.communicate(timeout=60)
            self.assertNotEqual(0, running.returncode)
            self.assertEqual(1, talk.count("the last checkpoint is intact: go on with --resume"), talk)
            for path in (self.folder / "model").iterdir():
                path.unlink()
            (self.folder / "model").rmdir()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
