#!/usr/bin/env python3
"""Builds the Debian packages in two folders, which must give the same bytes; lints them, installs them in a clean tree
and checks that tree.

usage: debian.py WORK_FOLDER
"""
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
work = pathlib.Path(sys.argv[1]).resolve()


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-8000:]}")
    return done.stdout


def build(name):
    run(root / "tools/package", work / f"build-{name}", work / name)
    return sorted((work / name).glob("*.deb"))


shutil.rmtree(work / "tree", ignore_errors=True)
first, second = build("first"), build("second")
NAMES = ["libtain-dev", "python3-tain", "tain-mpi", "tain"]
assert [deb.name.split("_")[0] for deb in first] == NAMES, first
for one, other in zip(first, second):
    assert filecmp.cmp(one, other, shallow=False), f"{one.name} is not reproducible"

print(run("lintian", "--fail-on", "error", *first))

# Everything that the packages depend on is there: apt would install nothing else.
if os.geteuid() == 0:
    plan = run("apt-get", "install", "--simulate", "--no-install-recommends", *first)
    others = [line for line in plan.splitlines() if line.startswith("Inst ") and line.split()[1] not in NAMES]
    assert not others, others

tree = work / "tree"
(tree / "var/lib/dpkg/updates").mkdir(parents=True)
(tree / "var/lib/dpkg/info").mkdir()
(tree / "var/lib/dpkg/status").touch()
# Scripts of the packages run outside the tree, which has no shell, and are told where it is.
options = (f"--root={tree}", "--force-depends", "--force-not-root", "--force-script-chrootless")
run("dpkg", *options, "--install", *first)
status = run("dpkg-query", f"--admindir={tree}/var/lib/dpkg", "-W", "-f", "${Package} ${Status}\n")
assert status == "".join(f"{name} install ok installed\n" for name in sorted(NAMES)), status
assert list((tree / "usr/lib/python3/dist-packages/tain/__pycache__").glob("*.pyc")), "the module is not compiled"
print(run(sys.executable, here / "check_tree.py", tree / "usr", here / "consumer", "packages"))
run("dpkg", *options, "--purge", *NAMES)
left = [path for path in (tree / "usr").rglob("*") if path.is_file() or path.name == "__pycache__"]
assert not left, left
