#include "bindings.hpp"
#include "core/version.hpp"

PYBIND11_MODULE(_native, m) {
  m.doc() = "Native part of tain; use the names of the package instead.";
  m.attr("__version__") = std::string(tain::version_number());
  tain::python::bind_errors(m);
  tain::python::bind_corpus(m);
  tain::python::bind_diagnosis(m);
  tain::python::bind_lda(m);
  tain::python::bind_model_files(m);
  tain::python::bind_stream(m);
  tain::python::bind_study(m);
  tain::python::bind_topics(m);
  tain::python::bind_targets(m);
  tain::python::bind_sets(m);
  tain::python::bind_target_checks(m);
  tain::python::bind_sampling(m);
}
