"""What several files of tests use."""

import locale
import os
import shutil
import signal
import subprocess
import sys
import threading

import pytest

# Settings of whoever runs the tests: variables that would change what the program or the module does, a shell that started
# this in the background and so without Ctrl-C, a language without UTF-8.
for _name in list(os.environ):
    if _name.startswith(("TAIN_", "OMPI_", "PMIX_", "PMI_", "SLURM_", "LC_", "LANG", "NO_COLOR", "TERM", "COLUMNS")):
        del os.environ[_name]
os.environ["LC_ALL"] = "C.UTF-8"
locale.setlocale(locale.LC_ALL, "C.UTF-8")
signal.signal(signal.SIGINT, signal.default_int_handler)

SOURCE = """
#include "tain/target_abi.h"
static int gauss(void* context, const double* x, double* value, double* gradient) {
  const double* scale = context;
  *value = 0.5 * (scale ? *scale : 1) * (x[0] * x[0] + x[1] * x[1]);
  gradient[0] = (scale ? *scale : 1) * x[0];
  gradient[1] = (scale ? *scale : 1) * x[1];
  return TAIN_TARGET_OK;
}
int plain(void* context, const double* x, double* value, double* gradient) { return gauss(context, x, value, gradient); }
int tain_target_open(const char* arguments, size_t dim, struct tain_target* out, char* error, size_t size) {
  (void)arguments; (void)dim; (void)error; (void)size;
  out->abi_version = TAIN_TARGET_ABI;
  out->dim = 2;
  out->name = "gauss";
  out->value_and_gradient = gauss;
  return 0;
}
"""


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("library")
    include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include")
    (folder / "gauss.c").write_text(SOURCE)
    command = [compiler, "-O2", "-fPIC", "-shared", "-I", include, "-o", folder / "gauss.so", folder / "gauss.c"]
    subprocess.run(command, check=True)
    return folder / "gauss.so"


@pytest.fixture
def python_with_failpoint(tmp_path):
    """Runs a program in Python that signals itself at a failpoint, and gives what it left: the module reads the variable once
    in a process."""

    def run(failpoint, code):
        return subprocess.run(
            [sys.executable, "-c", code],
            env=dict(os.environ, TAIN_FAILPOINT=failpoint),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    return run


@pytest.fixture
def interrupt_at():
    """Has another thread press Ctrl-C once a file is there. Only a call that lets other threads run can be ended so."""
    threads = []

    def watch(file):
        def press():
            while not over.is_set() and not file.exists():
                over.wait(0.01)
            if not over.is_set():
                os.kill(os.getpid(), signal.SIGINT)

        threads.append(threading.Thread(target=press))
        threads[-1].start()

    over = threading.Event()
    yield watch
    over.set()
    for thread in threads:
        thread.join()
