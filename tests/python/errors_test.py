"""Errors of the native part reach Python as exceptions of the package."""

import pytest
import tain


def test_flags_read_as_keywords():
    with pytest.raises(tain.InputError, match=r"^step_size: no good; use step_size auto, or a-b -- c$"):
        tain._native._fail("--step-size", "no good", "use --step-size auto, or a-b -- c")


def test_input_errors_are_value_errors():
    assert issubclass(tain.InputError, ValueError)
    assert issubclass(tain.InputError, tain.Error)
    assert issubclass(tain.FileError, OSError)
