#!/usr/bin/env python3
"""The demo's sections that take seconds, and what becomes of it where one fails: the others run, the page is made, what was
expected and where the files are is said, the exit status is that of the worst.

usage: demo_test.py DEMO PROGRAM
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

DEMO, TAIN = (pathlib.Path(word).resolve() for word in sys.argv[1:])
QUICK = "posterior,same_bits,page"


class Demo(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="tain demo ")
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.folder = self.place / "demo"

    def run_demo(self, program=TAIN, sections=QUICK):
        return subprocess.run([DEMO, program, self.folder, "--only", sections], capture_output=True, text=True)

    def broken(self, when, instead):
        """The program, with other behaviour where its command line has some words."""
        script = self.place / "tain"
        script.write_text(f'#!/bin/bash\ncase " $* " in\n  {when}) {instead} ;;\nesac\nexec "{TAIN}" "$@"\n')
        script.chmod(0o755)
        return script

    def test_all_is_well(self):
        done = self.run_demo()
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("All checks passed.", done.stdout)
        self.assertRegex(done.stdout, r"3 sections, about \d+ seconds on this machine")
        self.assertIn("Why to trust it", (self.folder / "index.html").read_text())
        self.assertEqual(0, self.run_demo(sections="page,posterior").returncode)  # over its own folder

    def test_a_program_that_fails(self):
        done = self.run_demo(self.broken('*" --threads 2 "*', 'echo "tain: broken" >&2; exit 70'))
        self.assertEqual(70, done.returncode, done.stdout)
        self.assertRegex(done.stdout, r"section 2: `tain sample .*` ended with 70, expected 0")
        self.assertIn("tain: broken", done.stdout)
        self.assertIn(str(self.folder), done.stdout)
        page = (self.folder / "index.html").read_text()
        self.assertIn("A check failed. Same bits", page)
        self.assertIn("✓ Right.", page)

    def test_a_check_that_fails(self):
        done = self.run_demo(self.broken('*" -o threads2.nc "*', 'set -- "$@" --seed 2'))
        self.assertEqual(1, done.returncode, done.stdout)
        self.assertRegex(done.stdout, r"section 2: draws files of 1 and 2 threads are identical; see .*threads2.nc")
        self.assertIn("1 FAILED:", done.stdout)

    def test_a_kill_that_does_not_come_is_a_failed_check(self):
        done = self.run_demo(self.broken('*" -o killed.nc "*', "unset TAIN_FAILPOINT"))
        self.assertEqual(1, done.returncode, done.stdout)
        self.assertIn("exit status 0, expected -9", done.stdout)

    def test_a_folder_that_is_not_a_demos_is_left_alone(self):
        self.folder.mkdir()
        (self.folder / "thesis.txt").write_text("years")
        done = self.run_demo()
        self.assertEqual(1, done.returncode)
        self.assertIn("holds files that are not a demo's", done.stderr)
        self.assertEqual("years", (self.folder / "thesis.txt").read_text())

    def test_unknown_sections_are_refused(self):
        done = self.run_demo(sections="nonsense")
        self.assertEqual(2, done.returncode)
        self.assertIn("the sections are posterior, topics", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
