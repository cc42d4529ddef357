#!/usr/bin/env python3
"""What the program shows on a terminal, of several widths, and what it leaves out elsewhere.

usage: terminal.py PROGRAM
"""
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
import unittest

TAIN = os.path.realpath(sys.argv[1])
GREEN, RED = "\x1b[32m", "\x1b[31m"
GOOD = "sample --target dirichlet --counts 12,3,0,5 --alpha 0.5"
BAD = "sample --target gaussian --dim 3 --kernel mld --step-size 1e-6 --warmup 0 --draws 50 --thin 1"


# Variables that would change what the program does or prints.
FOREIGN = ("TAIN_", "OMPI_", "PMIX_", "PMI_", "SLURM_", "LC_", "LANG", "COLUMNS", "NO_COLOR", "TERM")


def environment(**variables):
    own = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    return {**own, "TERM": "xterm", "LC_ALL": "C.UTF-8", **variables}


def on_terminal(arguments, columns, folder=None, enough=lambda seen: False, **variables):
    """Everything that appears on a terminal of so many columns. Whoever looks presses Ctrl-C once there is enough."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([TAIN, *arguments.split()], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, cwd=folder,
                               env=environment(**variables))
    os.close(theirs)
    seen, pressed = b"", False
    try:
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                part = b""
            if not part:
                break
            seen += part
            if not pressed and enough(seen.decode(errors="replace")):
                process.send_signal(signal.SIGINT)
                pressed = True
        process.wait()
    finally:
        os.close(ours)
        process.kill()
        process.wait()
    return seen.decode().replace("\r\n", "\n")


def in_pipe(arguments, folder=None, **variables):
    return subprocess.run([TAIN, *arguments.split()], capture_output=True, encoding="utf-8", cwd=folder, check=True,
                          env=environment(**variables)).stdout


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def without_codes(text):
    """What stays on the screen: what a carriage return goes back over is gone, colours take no room."""
    text = re.sub(r"[^\n]*\r", "", text)
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)


class Colours(unittest.TestCase):
    def test_verdict_is_green_or_red(self):
        self.assertIn(f"{GREEN}Trust these draws.", on_terminal(GOOD, 80))
        seen = on_terminal(BAD, 80)
        self.assertIn(f"{RED}Do not trust these draws", seen)
        self.assertIn(f"{RED}FAIL", seen)

    def test_cells_that_a_gate_rejects_are_red(self):
        self.assertRegex(on_terminal(BAD, 100), r"x\[1\].*\x1b\[31m\d+\.\d{3}\x1b\[0m\n")
        self.assertNotIn(RED, on_terminal(GOOD, 100))

    def test_none_if_not_wanted(self):
        self.assertNotRegex(on_terminal(GOOD, 80, NO_COLOR="1"), r"\x1b\[[0-9;]*m")
        self.assertNotIn("\x1b", on_terminal(GOOD, 80, TERM="dumb"))

    def test_none_in_a_pipe(self):
        self.assertNotIn("\x1b", in_pipe(GOOD))

    def test_they_are_the_only_difference(self):
        table = without_codes(on_terminal(GOOD + " --quiet --progress none", 90))
        self.assertEqual(in_pipe(GOOD, COLUMNS="90"), table)


class Widths(unittest.TestCase):
    def check(self, text, columns):
        for line in without_codes(text).split("\n"):
            if not line.startswith("tain: "):
                self.assertLessEqual(width(line), columns, line)

    def test_summary(self):
        for columns in (60, 80, 200):
            table, _, _ = on_terminal(GOOD, columns).partition("\n\n")  # the verdict's sentences may be longer
            self.check(table, columns)
        self.assertIn(" q50 ", on_terminal(GOOD, 200))

    def test_columns_variable_wins(self):
        for columns in ("60", "200"):
            self.assertEqual(in_pipe(GOOD, COLUMNS=columns), without_codes(
                on_terminal(GOOD + " --quiet --progress none", 120, COLUMNS=columns)))
        self.assertNotEqual(in_pipe(GOOD, COLUMNS="60"), in_pipe(GOOD, COLUMNS="200"))
        self.assertEqual(in_pipe(GOOD), in_pipe(GOOD, COLUMNS="100"))
        self.assertEqual(in_pipe(GOOD), in_pipe(GOOD, COLUMNS="many"))

    def test_help_fits(self):
        for columns in (80, 100):
            text = on_terminal("sample --help", columns)
            self.check("\n".join(line for line in text.split("\n") if not line.startswith("  ") or line[6:8] != "--"), columns)

    def test_names_in_other_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = "".join(f"{i % 7},{(i * 5) % 11}\n" for i in range(100))
            pathlib.Path(folder, "draws.csv").write_text(f"αβγ,日本語の長い名前の座標です\n{rows}", encoding="utf-8")
            for columns in (60, 80):
                seen = without_codes(on_terminal("diagnose draws.csv", columns, folder))
                lines = [line for line in seen.split("\n") if re.match("name |αβγ|日本", line)]
                self.assertEqual(3, len(lines), seen)
                self.assertEqual(1, len({width(line) for line in lines}), seen)


class Topics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        words = ["日本語", "Donaudampfschifffahrtsgesellschaftskapitän", "ελληνικά", "mirror", "silver", "glass", "tin", "map",
                 "draw", "chain", "step", "noise"]
        lines = (" ".join(words[(i * k + k) % 12] for k in range(1, 25)) for i in range(200))
        pathlib.Path(cls.folder.name, "notes.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        for command in ("corpus import notes.txt -o notes --max-df 1 --max-length 60 --quiet",
                        "lda train notes -k 3 --passes 3 -o three --quiet", "lda train notes -k 1 --passes 3 -o one --quiet"):
            in_pipe(command, cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_fit(self):
        for columns in (60, 80, 120, 200):
            for model, topics in (("three", 3), ("one", 1)):
                text = without_codes(on_terminal(f"lda topics {model} --words 12", columns, self.folder.name))
                table = text[text.index("topic "):]
                for line in table.split("\n"):
                    self.assertLessEqual(width(line), columns, table)
                self.assertEqual(topics, len(re.findall(r"^ +\d+ +\d+\.\d\d %", table, re.M)), table)

    def test_wide_terminals_need_fewer_lines(self):
        lines = [on_terminal("lda topics three --words 12", columns, self.folder.name).count("\n") for columns in (60, 120, 240)]
        self.assertEqual(sorted(lines, reverse=True), lines)
        self.assertLess(lines[2], lines[0])


class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        in_pipe("corpus synthesize --docs 300 -o articles --quiet", self.folder)

    def test_redrawn_in_place_and_gone_at_the_end(self):
        # A training that ends when its line has been drawn three times, however long that takes.
        line = re.compile(r"\rtrain  [^\r\n]*")
        seen = on_terminal("lda train articles -k 5 --passes 1e9 -o model", 70, self.folder,
                           enough=lambda seen: len(line.findall(seen)) >= 3)
        for text in line.findall(seen):
            self.assertLess(width(without_codes(text[1:])), 70)
        self.assertNotIn("docs/s", without_codes(seen))
        self.assertIn("tain: interrupted after", seen)

    def test_no_cursor_movements_on_a_dumb_terminal(self):
        # It goes on for longer than the tenth of a second after which another terminal would have its line.
        seen = on_terminal("lda train articles -k 5 --max-seconds 0.5 -o model", 70, self.folder, TERM="dumb")
        self.assertNotIn("\x1b", seen)
        self.assertNotRegex(seen, r"\r[^\n]")
        self.assertIn("stopped by max-seconds", seen)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
