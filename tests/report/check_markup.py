"""What other programs see in the pages and figures of a folder: XML that parses, no number that is
none, nothing fetched from elsewhere, and what people without eyes or colours need.

Usage: check_markup.py folder
"""
import html.parser
import pathlib
import re
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
VOID = {"meta", "br", "img", "link", "hr", "input"}
problems = []


def complain(path, problem):
    problems.append(f"{path.name}: {problem}")


def check_svg(path, text):
    root = xml.etree.ElementTree.fromstring(text)
    if root.tag != SVG + "svg" or root.get("role") != "img" or not root.get("aria-label"):
        complain(path, "is no image with a text alternative")
    width, height = (float(v) for v in root.get("viewBox").split()[2:])
    for element in root.iter():
        for name, value in element.attrib.items():
            if name not in {"aria-label"} and re.search(r"nan|inf", value, re.IGNORECASE):
                complain(path, f"{element.tag} has {name}={value!r}")
        if element.tag == SVG + "text":
            x, y = float(element.get("x")), float(element.get("y"))
            if not (0 <= x <= width and 0 <= y <= height):
                complain(path, f"text {element.text!r} lies outside")
    drawn = any(e.tag == SVG + "path" and e.get("d", "").startswith("M") for e in root.iter())
    if not drawn and "No data to show." not in text:
        complain(path, "draws nothing")


class Outline(html.parser.HTMLParser):
    """Balance of tags, levels of headings, captions, scopes, ids."""

    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.level, self.ids, self.links = path, [], 0, set(), set()
        self.figures = self.captions = 0

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            if int(tag[1]) > self.level + 1:
                complain(self.path, f"{tag} follows h{self.level}")
            self.level = int(tag[1])
        if tag == "th" and attributes.get("scope") not in {"row", "col"}:
            complain(self.path, "a header cell has no scope")
        self.figures += tag == "figure"
        self.captions += tag == "figcaption"
        if "id" in attributes:
            if attributes["id"] in self.ids:
                complain(self.path, f"id {attributes['id']} is there twice")
            self.ids.add(attributes["id"])
        if attributes.get("href", "").startswith("#"):
            self.links.add(attributes["href"][1:])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            complain(self.path, f"</{tag}> closes nothing")

    def finish(self):
        self.close()
        if self.open:
            complain(self.path, f"{self.open} are left open")
        if self.figures != self.captions:
            complain(self.path, "a figure has no caption")
        if self.links - self.ids:
            complain(self.path, f"links lead nowhere: {self.links - self.ids}")


folder = pathlib.Path(sys.argv[1])
figures, pages = sorted(folder.glob("*.svg")), sorted(folder.glob("*.html"))
if not figures or not pages:
    problems.append(f"{folder}: no figures or no pages")
for path in figures:
    check_svg(path, path.read_text(encoding="utf-8"))
for path in pages:
    text = path.read_text(encoding="utf-8")
    if len(text.encode()) > 2_000_000:
        complain(path, "is larger than 2 MB")
    if re.search(r"<script|<link|\bsrc=|@import|url\(|(?<!xmlns=\")https?://", text):
        complain(path, "needs scripts or other files")
    outline = Outline(path)
    outline.feed(text)
    outline.finish()
    for part in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        check_svg(path, part)
print("\n".join(problems) or f"{len(figures)} figures and {len(pages)} pages are well-formed")
sys.exit(1 if problems else 0)
