#!/usr/bin/env python3
"""Every npm package that the page program may hold stands in packaging/copyright, with its licence.

usage: check_copyright.py PROJECT_FOLDER
"""
import fnmatch
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
# What d3-dsv needs for its command-line programs, which no bundle holds.
TOOLS = {"commander", "iconv-lite", "rw", "safer-buffer"}

licences = []  # (pattern, licence), later ones win
for paragraph in (root / "packaging/copyright").read_text().split("\n\n"):
    files = re.search(r"^Files:((?: .*\n)(?:\s+.*\n)*)", paragraph, re.M)
    if files:
        licence = re.search(r"^License: (.*)$", paragraph, re.M).group(1)
        licences += [(pattern, licence) for pattern in files.group(1).split() if pattern.startswith("web/")]

problems = []
for path, package in json.loads((root / "web/package-lock.json").read_text())["packages"].items():
    name = path.removeprefix("node_modules/")
    if not path or package.get("dev") or name in TOOLS:
        continue
    known = [licence for pattern, licence in licences if fnmatch.fnmatch(f"web/{path}/x", pattern)]
    if not known or known[-1].lower() != package["license"].lower():
        problems.append(f"{name}: {package['license']}, but packaging/copyright says {known[-1] if known else 'nothing'}")
print("\n".join(problems))
sys.exit(1 if problems else 0)
