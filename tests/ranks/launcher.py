"""Runs the program over MPI on this machine, for tests: as root too, on fewer cores than ranks, and beside other tests."""
import os
import pathlib
import subprocess

ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}


def command(ranks, *words):
    """A command line for so many ranks; without MPI if there are none."""
    return [*(["mpirun", "-np", str(ranks)] if ranks else []), *map(str, words)]


def variables():
    return dict(os.environ, **ENVIRONMENT)


def run(ranks, *words, **options):
    return subprocess.run(command(ranks, *words), env=variables(), capture_output=True, text=True, timeout=300, **options)


def done(ranks, *words):
    """What a run that must succeed printed."""
    result = run(ranks, *words)
    assert result.returncode == 0, f"{' '.join(command(ranks, *words))} ended with {result.returncode}:\n{result.stderr}"
    return result.stdout


def same_bytes(one, other):
    return pathlib.Path(one).read_bytes() == pathlib.Path(other).read_bytes()
