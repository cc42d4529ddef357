"""A line of progress: redrawn in terminals, updated in notebooks, silent elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Union

from .errors import InputError

#: What native code calls about ten times a second, with a text and the share that is done.
Progress = Callable[[str, float], None]

_WIDTH = 20


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def _bar(share: float) -> str:
    done = int(max(0.0, min(1.0, share)) * _WIDTH)
    return "[" + "#" * done + "-" * (_WIDTH - done) + "]"


class _Line:
    """Shows nothing in the first half second, so that short runs stay quiet."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._length = 0

    def __call__(self, text: str, share: float) -> None:
        if time.monotonic() - self._begin < 0.5:
            return
        self._show(f"{_bar(share)} {text}")

    def _show(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._length))
        sys.stderr.flush()
        self._length = len(line)

    def close(self) -> None:
        if self._length:
            sys.stderr.write("\r" + " " * self._length + "\r")
            sys.stderr.flush()


class _NotebookLine(_Line):
    def __init__(self) -> None:
        super().__init__()
        self._handle = None

    def _show(self, line: str) -> None:
        from IPython.display import Pretty, display

        content = Pretty(line)
        if self._handle is None:
            self._handle = display(content, display_id=True)
        elif self._handle is not None:
            self._handle.update(content)

    def close(self) -> None:
        if self._handle is not None:
            from IPython.display import Pretty

            self._handle.update(Pretty(""))


class _Given:
    def __init__(self, function: Progress) -> None:
        self._function = function

    def __call__(self, text: str, share: float) -> None:
        self._function(text, share)

    def close(self) -> None:
        pass


@contextmanager
def shown_progress(choice: Union[None, bool, Progress]) -> Iterator[Any]:
    """None: where someone looks; True: always; False: never; a function of (text, share): call it."""
    line = _line_for(choice)
    try:
        yield line
    finally:
        if line is not None:
            line.close()


def _line_for(choice: Union[None, bool, Progress]) -> Optional[Union[_Line, _Given]]:
    if choice is False:
        return None
    if callable(choice):
        return _Given(choice)
    if choice is not None and choice is not True:
        raise InputError(f"progress: a {type(choice).__name__} shows nothing; give True, False or a function of (text, share)")
    if _in_notebook():
        return _NotebookLine()
    return _Line() if choice or sys.stderr.isatty() else None
