"""What can go wrong. Messages are those of the command line: `<where>: <problem>; <what to do>`."""

from typing import Optional


class Error(Exception):
    """Base of every exception that tain raises itself.

    Attributes:
        field: the argument that is to blame, where it is known.
    """

    field: Optional[str] = None


class InputError(Error, ValueError):
    """An argument, a table or the content of a file is wrong.

    >>> issubclass(InputError, ValueError)
    True
    """

    def __init__(self, *message: str, field: Optional[str] = None) -> None:
        super().__init__(*message)
        self.field = field


class FileError(Error, OSError):
    """A file cannot be read or written."""


class Interrupted(UserWarning):
    """Ctrl-C ended a run early; what was found until then is kept."""
