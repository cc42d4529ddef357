"""The tutorial notebook runs from its first cell to its last, and is kept without outputs."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples/python/tutorial.ipynb"


def test_is_kept_without_outputs():
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    assert cells
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_runs(tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    # A kernel of this interpreter, whatever other kernels the machine has.
    kernel = tmp_path / "jupyter/kernels/python3"
    kernel.mkdir(parents=True)
    arguments = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": arguments, "display_name": "Python 3", "language": "python"}))
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", NOTEBOOK, "--output-dir", tmp_path]
        + ["--ExecutePreprocessor.startup_timeout=300"],
        capture_output=True,
        text=True,
        env=dict(os.environ, JUPYTER_PATH=str(tmp_path / "jupyter"), HOME=str(tmp_path), MPLBACKEND="Agg"),
    )
    assert done.returncode == 0, done.stderr[-4000:]
    ran = json.loads((tmp_path / NOTEBOOK.name).read_text())
    texts = [str(output) for cell in ran["cells"] for output in cell.get("outputs", [])]
    assert any("Trust these draws." in text for text in texts)
    assert any("Trust these topics." in text for text in texts)
