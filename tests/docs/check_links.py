#!/usr/bin/env python3
"""Checks the documentation as a whole: every link to a file of the project and every anchor leads somewhere, the index
docs/README.md names every page, and no line of prose is wider than a terminal shows and a diff can tell.

usage: check_links.py PROJECT_FOLDER
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
index = root / "docs" / "README.md"
WIDTH = 100
GENERATED = {"commands.md", "cpp.md", "errors.md", "python.md"}


def prose(path):
    """The text without code, where brackets mean other things."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", lambda code: re.sub(r"[\[\]()]", " ", code.group()), text)


def anchors(path):
    """Names that headings get: lower case, punctuation dropped, blanks to dashes."""
    names = []
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
    for heading in re.findall(r"^#+ +(.*?) *$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        seen = names.count(name)
        names.append(f"{name}-{seen}" if seen else name)
    return names


def wide_lines(path):
    """Numbers of lines of prose over WIDTH columns that could be broken. Pages that are generated are as they are; so are code,
    tables, headings and pictures."""
    if path.parent.name == "reference" and path.name in GENERATED:
        return
    text = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), path.read_text(), flags=re.S | re.M)
    for number, line in enumerate(text.splitlines(), 1):
        pieces = re.sub(r"`[^`]*`", "code", re.sub(r"^ *([-*]|\d+\.) +", "", line)).split()
        if len(line) > WIDTH and len(pieces) > 1 and not re.match(r" {4}|\||#|!\[", line):
            yield number


pages = sorted([*(root / "docs").rglob("*.md"), root / "README.md", root / "CONTRIBUTING.md"])
problems, linked = [], set()
for page in pages:
    problems += [f"{page.relative_to(root)}:{number}: more than {WIDTH} columns; break the line" for number in wide_lines(page)]
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            problems.append(f"{page.relative_to(root)}: {target} does not exist")
        elif anchor and anchor not in anchors(file):
            problems.append(f"{page.relative_to(root)}: {target}: no such heading")
        elif page == index:
            linked.add(file)
problems += [f"docs/README.md does not name {page.relative_to(root / 'docs')}" for page in pages
             if page.is_relative_to(root / "docs") and page != index and page not in linked]
print("\n".join(problems))
sys.exit(1 if problems else 0)
