#!/usr/bin/env python3
"""tools/verdict_table replaces what is between its two comments, and nothing else.

usage: table_tool_test.py TOOL
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv[1]).resolve()
PLACE = "# Verdicts\n\n<!-- table by tools/verdict_table -->\nold\n<!-- end of the table -->\n\nmore\n"


class Table(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.page = pathlib.Path(place.name) / "page.md"
        self.program = pathlib.Path(place.name) / "program"

    def run_tool(self, page, code=0):
        self.page.write_text(page)
        self.program.write_text(f'#!/bin/sh\necho "| $* |"\nexit {code}\n')
        self.program.chmod(0o755)
        return subprocess.run([TOOL, self.program, self.page, "--", "--seeds", "2"], capture_output=True, text=True)

    def test_replaces_the_table(self):
        self.assertEqual(self.run_tool(PLACE).returncode, 0)
        self.assertEqual(self.page.read_text(), PLACE.replace("old\n", "\n| --seeds 2 |\n\n"))

    def test_writes_a_table_with_lies_too(self):
        self.assertEqual(self.run_tool(PLACE, code=2).returncode, 2)
        self.assertIn("| --seeds 2 |", self.page.read_text())

    def test_keeps_the_page_where_the_program_fails(self):
        self.assertIn("ended with 70", self.run_tool(PLACE, code=70).stderr)
        self.assertEqual(self.page.read_text(), PLACE)

    def test_asks_for_the_place(self):
        for page in ("# Verdicts\n", PLACE + PLACE):
            self.assertIn("put these two lines there", self.run_tool(page).stderr)
            self.assertEqual(self.page.read_text(), page)


unittest.main(argv=sys.argv[:1])
