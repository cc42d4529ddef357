#include "pointer_target.hpp"

#include <memory>
#include <utility>

#include "targets/log_density.hpp"
#include "targets/user_target.hpp"

namespace tain::python {

namespace py = pybind11;

Target pointer_target(std::uintptr_t point, std::uintptr_t block, std::uintptr_t context,
                      std::size_t dim, const std::string& name, py::object keep,
                      std::vector<std::string> names, bool log_density) {
  tain_target target{};
  target.abi_version = TAIN_TARGET_ABI;
  target.dim = dim;
  target.name = name.c_str();
  target.context = reinterpret_cast<void*>(context);
  target.value_and_gradient = reinterpret_cast<decltype(target.value_and_gradient)>(point);
  target.block = reinterpret_cast<decltype(target.block)>(block);
  // The last copy may go in a thread that does not hold the lock.
  const std::shared_ptr<const void> kept(keep.release().ptr(), [](PyObject* object) {
    const py::gil_scoped_acquire lock;
    Py_DECREF(object);
  });
  LibraryTarget made = LibraryTarget::of_functions(target, kept, log_density);
  return Target(log_density ? AnyPotential(LogDensity(made)) : AnyPotential(made),
                std::move(names));
}

}  // namespace tain::python
