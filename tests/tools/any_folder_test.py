#!/usr/bin/env python3
"""A clone in `a b é/tain` builds, passes the tests that start programs and files by name, installs and packages.

usage: any_folder_test.py SOURCE_FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-8000:]}")


with tempfile.TemporaryDirectory(prefix="tain-folder-") as place:
    clone = pathlib.Path(place, "a b é", "tain")
    clone.parent.mkdir()
    run("git", "clone", "--quiet", source, clone)
    variables = dict(os.environ, TAIN_PACKAGES="skip")
    run("make", "test", cwd=clone, env=variables)
    run("tools/demo", "build/release/tain", "demo", "--only", "posterior,same_bits,page", cwd=clone)
    run("make", "package", cwd=clone, env=variables)
    run("cmake", "--install", "build/release", "--prefix", clone / "in stalled", cwd=clone)
    run(clone / "in stalled/bin/tain", "sample", "--target", "dirichlet", "--counts", "12,3,0,5", "-o", clone / "dra ws.nc")
print("builds, passes its tests, installs and packages in a folder of any name")
