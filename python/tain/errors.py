"""What can go wrong. Messages are those of the command line: `<where>: <problem>; <what to do>`."""


class Error(Exception):
    """Base of every exception that tain raises itself."""


class InputError(Error, ValueError):
    """An argument, a table or the content of a file is wrong.

    >>> issubclass(InputError, ValueError)
    True
    """


class FileError(Error, OSError):
    """A file cannot be read or written."""


class Interrupted(UserWarning):
    """Ctrl-C ended a run early; what was found until then is kept."""
