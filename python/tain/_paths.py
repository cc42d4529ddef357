"""Names of files as users give them, checked."""

from __future__ import annotations

import os
from typing import Any

from .errors import InputError


def path_of(name: str, value: Any) -> str:
    """As text, in which bytes that are no UTF-8 are as Python has them."""
    try:
        text = os.fsdecode(value)
    except TypeError:
        raise InputError(f"{name}: a {type(value).__name__} is no path; give a text in quotes", field=name) from None
    if "\0" in text:
        raise InputError(f"{name}: has a NUL, which no name of a file can have; give another", field=name)
    return text


def native_path(name: str, value: Any) -> Any:
    """As native functions take it: its bytes."""
    return os.fsencode(path_of(name, value))
