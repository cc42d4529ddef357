"""Errors of the native part reach Python as exceptions of the package."""

import pytest
import tain


def test_options_read_as_keywords():
    with pytest.raises(tain.InputError) as raised:
        tain.LDA(floor=0.1).fit([[1, 2], [3, 4]])
    assert str(raised.value) == "floor: does nothing to smld-root; leave it out, or give method='smld-approximate'"
    assert raised.value.field == "floor"


def test_input_errors_are_value_errors():
    assert issubclass(tain.InputError, ValueError)
    assert issubclass(tain.InputError, tain.Error)
    assert issubclass(tain.FileError, OSError)
