#!/usr/bin/env python3
"""What tools/install_packages does and says on machines with and without packages, root, sudo and a network; these are
programs of the same names that answer as apt would.

usage: install_packages_test.py SCRIPT
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv[1]).resolve()
LIST = re.findall(r"^([a-z][\w.+-]*)", SCRIPT.with_name("packages.txt").read_text().partition("\n[all]")[0], re.M)
NEEDED = ("bash", "awk", "cat", "dirname", "env", "grep", "head", "mktemp", "rm", "sed", "tail", "tee")
APT = """#!/bin/bash
echo "$@" >> "$CALLS"
case " $* " in
  *" update "*) [ -z "$NO_NETWORK" ] || { echo "E: no network"; exit 100; } ;;
  *" --assume-no "*)
    echo "0 upgraded, 3 newly installed, 0 to remove and 0 not upgraded."
    echo "Need to get 12.3 MB of archives."
    echo "After this operation, 45.6 MB of additional disk space will be used."
    exit 1 ;;
  *" -y "*)
    [ -z "$NO_ARCHIVES" ] || { echo "E: Unable to fetch some archives"; exit 100; }
    for i in 1 2 3; do echo "Get:$i somewhere"; done
    for i in 1 2 3; do echo "Unpacking p$i ..."; done
    for i in 1 2 3; do echo "Setting up p$i ..."; done ;;
esac
"""


class Machine(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="tain packages ")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for name in NEEDED:
            (self.bin / name).symlink_to(f"/usr/bin/{name}")
        self.program("apt-get", APT)
        self.installed(LIST)
        self.user(0)

    def program(self, name, text):
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def installed(self, names):
        lines = "".join(f"echo '{name} install ok installed'\n" for name in names)
        self.program("dpkg-query", f"#!/bin/bash\n{lines}")

    def user(self, number):
        self.program("id", f"#!/bin/bash\necho {number}\n")

    def run_script(self, **variables):
        calls = self.folder / "calls"
        calls.write_text("")
        done = subprocess.run([self.bin / "bash", SCRIPT], capture_output=True, text=True,
                              env={"PATH": str(self.bin), "CALLS": str(calls), "NO_NETWORK": "", "NO_ARCHIVES": "",
                                   "TMPDIR": str(self.folder), **variables})
        return done.returncode, done.stderr, calls.read_text()

    def test_nothing_is_said_or_done_where_all_is_there(self):
        self.assertEqual((0, "", ""), self.run_script())

    def test_what_is_missing_is_installed_with_its_size_and_progress(self):
        self.installed(name for name in LIST if name not in ("cmake", "mold"))
        code, said, calls = self.run_script()
        self.assertEqual(0, code, said)
        self.assertIn("installing 2 Debian packages: cmake mold", said)
        self.assertIn("Need to get 12.3 MB", said)
        self.assertIn("set up 3 of 3", said)
        self.assertIn("-y cmake mold", calls)

    def test_a_program_from_elsewhere_will_do(self):
        self.installed(name for name in LIST if name not in ("nodejs", "npm"))
        self.program("node", "#!/bin/bash\n")
        self.program("npm", "#!/bin/bash\n")
        self.assertEqual((0, "", ""), self.run_script())

    def helps(self, said, problem):
        self.assertIn(problem, said)
        self.assertIn("apt-get install --no-install-recommends cmake", said)
        self.assertIn("TAIN_PACKAGES=skip", said)

    def test_without_root_it_says_what_to_do(self):
        self.installed(name for name in LIST if name != "cmake")
        self.user(1000)
        code, said, calls = self.run_script()
        self.assertEqual((1, ""), (code, calls))
        self.helps(said, "you are not root, and there is no sudo")

    def test_sudo_is_used(self):
        self.installed(name for name in LIST if name != "cmake")
        self.user(1000)
        self.program("sudo", '#!/bin/bash\necho sudo >> "$CALLS"\n"$@"\n')
        code, _, calls = self.run_script()
        self.assertEqual((0, 3), (code, calls.count("sudo")))

    def test_without_a_network_it_says_what_to_do(self):
        self.installed(name for name in LIST if name != "cmake")
        for variable, problem in (("NO_NETWORK", "apt-get update failed"), ("NO_ARCHIVES", "apt-get install failed")):
            code, said, _ = self.run_script(**{variable: "1"})
            self.assertEqual(1, code)
            self.helps(said, problem)
            self.assertIn("E: ", said)

    def test_it_can_be_skipped(self):
        self.installed([])
        self.assertEqual((0, "", ""), self.run_script(TAIN_PACKAGES="skip"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
