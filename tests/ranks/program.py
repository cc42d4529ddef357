#!/usr/bin/env python3
"""How the program behaves under a launcher, whatever it computes.

usage: program.py PROGRAM
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from launcher import HANGS, Launched, done, run, variables

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
        self.assertEqual(1, result.stderr.count("tain: ranks: `tain sets` runs in one process; start it without mpirun"))

    def test_one_rank_is_a_process_by_itself(self):
        self.assertEqual(run(0, TAIN, "maps").stdout, run(1, TAIN, "maps").stdout)

    def test_ranks_can_be_declined(self):
        result = run(2, "env", "TAIN_MPI=none", TAIN, "maps")
        self.assertEqual(2, result.stdout.count("simplex "))

    def test_an_error_is_said_once_and_its_code_is_the_exit_status(self):
        folder = tempfile.TemporaryDirectory(prefix="tain-ranks-")
        self.addCleanup(folder.cleanup)
        for words, code in ((("lda", "train", "/no/such/corpus", "-k", "5", "-o", f"{folder.name}/never"), 66),
                            (("lda", "train", "--no-such-flag"), 64),
                            (("sample", "--target", "no-such-target"), 64)):
            alone = run(0, TAIN, *words)
            self.assertEqual(code, alone.returncode, alone.stderr)
            result = run(3, TAIN, *words)
            self.assertEqual(code, result.returncode, result.stderr)
            said = [line for line in result.stderr.splitlines() if line.startswith("tain: ")]
            self.assertEqual(alone.stderr.splitlines(), said)

    def test_ranks_that_are_told_different_things_refuse(self):
        folder = tempfile.TemporaryDirectory(prefix="tain-ranks-")
        self.addCleanup(folder.cleanup)
        words = (TAIN, "sample", "--target", "dirichlet", "--counts", "1,2", "--draws", "50", "-q", "-o", f"{folder.name}/y.nc", "--isa")
        both = subprocess.run(["mpirun", "-np", "1", *words, "baseline", ":", "-np", "1", *words, "avx2"], env=variables(),
                              capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(78, both.returncode, both.stderr)
        self.assertIn("rank 1: its command line differs from that of rank 0; start all ranks with the same options", both.stderr)
        self.assertEqual([], os.listdir(folder.name))

    def test_a_damaged_corpus_is_refused_by_any_number_of_ranks(self):
        folder = tempfile.TemporaryDirectory(prefix="tain-ranks-")
        self.addCleanup(folder.cleanup)
        corpus = pathlib.Path(folder.name, "corpus")
        done(0, TAIN, "corpus", "synthesize", "--docs", "60", "--vocab-size", "300", "-o", corpus, "--quiet")
        damaged = bytearray((corpus / "corpus.bin").read_bytes())
        damaged[2000] ^= 1  # another word, as sound as the one before
        (corpus / "corpus.bin").write_bytes(damaged)
        for ranks in (0, 2, 3):
            result = run(ranks, TAIN, "lda", "train", corpus, "-k", "3", "-o", f"{folder.name}/model", "--quiet")
            self.assertEqual(65, result.returncode, result.stderr)
            self.assertIn("corpus.bin: its words are damaged (wrong checksum); import the corpus again", result.stderr)

    def test_a_plug_in_that_is_missing_is_told(self):
        result = run(2, "env", "TAIN_MPI=/no/such/file.so", TAIN, "sample", "--target", "dirichlet", "--counts", "1,2")
        self.assertEqual(78, result.returncode)
        self.assertEqual(1, result.stderr.count("started as rank 0 of 2, but libtain_mpi.so is not there"))

    def test_tasks_without_mpi_are_told(self):
        slurm = dict(variables(), SLURM_PROCID="0", SLURM_STEP_NUM_TASKS="4")
        result = subprocess.run([TAIN, "sample", "--target", "dirichlet", "--counts", "1,2"], env=slurm,
                                capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(78, result.returncode)
        self.assertRegex(result.stderr, re.escape("use srun --mpi=pmix"))
        # The steps of a batch script may each have their own work.
        self.assertEqual(0, subprocess.run([TAIN, "maps"], env=slurm, capture_output=True, timeout=HANGS).returncode)


class Ends(unittest.TestCase):
    """What becomes of a training that is told to stop, or loses a rank."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tain-ranks-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        done(0, TAIN, "corpus", "synthesize", "--docs", "500", "--vocab-size", "300", "-o", self.folder / "corpus", "--quiet")

    def train(self, **options):
        """A training on two ranks that goes on until somebody ends it."""
        return Launched(2, TAIN, "lda", "train", self.folder / "corpus", "-k", "10", "--passes", "100000", "--threads", "1",
                        "-o", self.folder / "model", **options)

    def test_a_signal_passed_on_stops_it_with_a_checkpoint(self):
        with self.train() as running:
            running.wait_for(2, "run/draws-file")  # both ranks are past their first checkpoint
            running.process.send_signal(signal.SIGUSR1)
            self.assertEqual(75, running.wait(), running.talk())
            self.assertEqual(1, running.talk().count("interrupted after"), running.talk())

    def test_when_a_rank_dies_another_says_how_to_go_on(self):
        for victim in (0, 1):
            # Launchers tell the other to end and kill it soon after. This one leaves that to the test, which has patience.
            with self.train(failpoints={victim: "steps:20=kill"}, OMPI_MCA_odls_base_sigkill_timeout=str(HANGS)) as running:
                running.wait_for(2, "run/draws-file")
                running.wait_for_death(victim)
                os.kill(running.pids[1 - victim], signal.SIGTERM)
                running.wait_for(1, "the last checkpoint is intact: go on with --resume")
                self.assertEqual(1, running.talk().count("go on with --resume"), running.talk())
            shutil.rmtree(self.folder / "model")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
