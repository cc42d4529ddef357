#include "tain/targets/user_target.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <system_error>
#include <utility>

#include "tain/core/error.hpp"
#include "tain/target_abi.h"

namespace tain {

/// A loaded library and the target it described; unloads in the right order.
struct SharedLibraryTarget::Library {
  Library(void* opened, std::string file) : handle(opened), path(std::move(file)) {}
  ~Library() {
    if (target.destroy) {
      target.destroy(target.context);
    }
    dlclose(handle);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void* handle;
  std::string path;
  std::string name;
  tain_target target{};
};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

[[noreturn]] void stop(const std::string& path, int status) {
  fail(Fault::data, path, fmt::format("evaluation of the target returned {}", status),
       "return 0, or 1 to reject a point");
}

/// dlopen searches system folders for names without a slash; a file is meant here.
std::string loadable(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto absolute = std::filesystem::absolute(path, ignored);
  return ignored ? path.string() : absolute.string();
}

void check(const tain_target& target, const std::string& where) {
  if (target.abi_version != TAIN_TARGET_ABI) {
    fail(Fault::data, where,
         fmt::format("target has interface version {}, this program {}", target.abi_version,
                     TAIN_TARGET_ABI),
         "rebuild it with this version's tain/target_abi.h and set abi_version to TAIN_TARGET_ABI");
  }
  if (target.dim == 0) {
    fail(Fault::data, where, "target has dimension 0", "set dim to 1 or more");
  }
  if (!target.value_and_gradient) {
    fail(Fault::data, where, "target has nothing to evaluate", "set value_and_gradient");
  }
}

}  // namespace

SharedLibraryTarget SharedLibraryTarget::open(const std::filesystem::path& path,
                                              const std::string& arguments, std::size_t dim_hint) {
  const std::string where = path.string();
  void* handle = dlopen(loadable(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* reason = dlerror();
    fail(Fault::no_input, where,
         fmt::format("cannot be loaded: {}", reason ? reason : "unknown reason"),
         "give a shared library built for this machine");
  }
  auto library = std::make_shared<Library>(handle, where);
  const auto entry = reinterpret_cast<tain_target_open_function>(dlsym(handle, "tain_target_open"));
  if (!entry) {
    fail(Fault::data, where, "has no function tain_target_open",
         "include tain/target_abi.h and export it");
  }
  std::array<char, 512> message{};
  const int status =
      entry(arguments.c_str(), dim_hint, &library->target, message.data(), message.size());
  message.back() = '\0';
  if (status != 0) {
    // What a refused target left in the structure is not to be trusted.
    library->target = {};
    fail(Fault::data, where,
         message[0] ? fmt::format("target refused to open: {}", message.data())
                    : fmt::format("target refused to open with status {}", status),
         "check its arguments");
  }
  if (library->target.abi_version != TAIN_TARGET_ABI) {
    const int version = library->target.abi_version;
    library->target = {};
    library->target.abi_version = version;
  }
  check(library->target, where);
  library->name = library->target.name ? library->target.name : path.filename().string();
  return SharedLibraryTarget(std::move(library));
}

std::string SharedLibraryTarget::name() const { return library_->name; }
std::size_t SharedLibraryTarget::dim() const { return library_->target.dim; }

void SharedLibraryTarget::evaluate(ConstBlock x, std::span<double> value, Block grad,
                                   Workspace& ws) const {
  const tain_target& target = library_->target;
  const std::size_t d = target.dim, lanes = x.lanes();
  if (target.block) {
    const int status = target.block(target.context, lanes, x.data(), value.data(), grad.data());
    if (status == TAIN_TARGET_OK) {
      return;
    }
    if (status != TAIN_TARGET_REJECT) {
      stop(library_->path, status);
    }
    // Some lane is to be rejected; which one shows below, so that the others do not suffer for it.
  }
  const Workspace::Scope scope(ws);
  const std::span<double> point = ws.array(d), slope = ws.array(d);
  for (std::size_t l = 0; l < lanes; ++l) {
    for (std::size_t i = 0; i < d; ++i) {
      point[i] = x.at(i, l);
    }
    const int status =
        target.value_and_gradient(target.context, point.data(), &value[l], slope.data());
    if (status == TAIN_TARGET_REJECT) {
      value[l] = infinity;
      std::ranges::fill(slope, 0.0);
    } else if (status != TAIN_TARGET_OK) {
      stop(library_->path, status);
    }
    for (std::size_t i = 0; i < d; ++i) {
      grad.at(i, l) = slope[i];
    }
  }
}

}  // namespace tain
