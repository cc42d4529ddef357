"""A page on disk that shows itself in notebooks."""

from __future__ import annotations

import html
import os


class Page(os.PathLike):  # type: ignore[type-arg]
    """A page on disk. A path; in notebooks it shows itself."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<Page {self.path}>"

    def _repr_html_(self) -> str:
        with open(self.path, encoding="utf-8") as file:
            content = html.escape(file.read(), quote=True)
        return f'<iframe srcdoc="{content}" style="width:100%;height:800px;border:0"></iframe>'
