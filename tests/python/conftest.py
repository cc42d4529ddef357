"""What several files of tests use."""

import os
import shutil
import subprocess

import pytest

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
