// The parts of the extension module, one function each.
#pragma once

#include <pybind11/pybind11.h>

namespace tain::python {

void bind_corpus(pybind11::module_& m);
void bind_errors(pybind11::module_& m);
void bind_diagnosis(pybind11::module_& m);
void bind_lda(pybind11::module_& m);
void bind_model_files(pybind11::module_& m);
void bind_sampling(pybind11::module_& m);
void bind_sets(pybind11::module_& m);
void bind_stream(pybind11::module_& m);
void bind_study(pybind11::module_& m);
void bind_target_checks(pybind11::module_& m);
void bind_targets(pybind11::module_& m);
void bind_topics(pybind11::module_& m);

}  // namespace tain::python
