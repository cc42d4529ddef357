#include "unlocked.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "tain/core/error.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

std::atomic<bool> ending = false;
std::atomic<int> at_work = 0;

/// Native loops look for the end ten times a second; a function of the user's may take longer, and
/// is not waited for.
void end_work() {
  constexpr auto patience = std::chrono::seconds(5);
  constexpr auto look = std::chrono::milliseconds(5);
  ending = true;
  const py::gil_scoped_release released;  // which those at work need to stop
  const auto begin = std::chrono::steady_clock::now();
  while (at_work > 0 && std::chrono::steady_clock::now() - begin < patience) {
    std::this_thread::sleep_for(look);
  }
}

}  // namespace

Unlocked::Unlocked() {
  if (ending) {
    fail(Fault::interrupted, "tain", "the interpreter is ending");
  }
  ++at_work;
  released_.emplace();
}

Unlocked::~Unlocked() {
  released_.reset();
  --at_work;
}

bool is_ending() { return ending; }

void watch_interpreter() {
  py::module_::import("atexit").attr("register")(py::cpp_function(end_work));
  py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") =
                                                         py::cpp_function([] { at_work = 0; }));
}

}  // namespace tain::python
