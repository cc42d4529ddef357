#include "targets/user_target.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <system_error>
#include <utility>

#include "tain/core/error.hpp"

namespace tain {

/// The functions and what they need: the context goes first, then the code itself.
struct LibraryTarget::Code {
  Code(std::string origin, std::shared_ptr<const void> kept)
      : where(std::move(origin)), keep(std::move(kept)) {}
  ~Code() {
    if (target.destroy) {
      target.destroy(target.context);
    }
  }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  /// V at one point; a rejected one has value +inf.
  void evaluate_point(const double* x, double& value, std::span<double> slope) const;

  std::string where;  ///< for messages
  std::string name;
  tain_target target{};
  bool log_density = false;
  std::shared_ptr<const void> keep;
};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_written = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void stop(const std::string& where, int status) {
  fail(Fault::data, where, fmt::format("evaluation of the target returned {}", status),
       "return 0, or 1 to reject a point");
}

/// dlopen searches system folders for names without a slash; a file is meant here.
std::string loadable(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto absolute = std::filesystem::absolute(path, ignored);
  return ignored ? path.string() : absolute.string();
}

std::shared_ptr<void> load(const std::filesystem::path& path) {
  void* handle = dlopen(loadable(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* reason = dlerror();
    fail(Fault::no_input, path.string(),
         fmt::format("cannot be loaded: {}", reason ? reason : "unknown reason"),
         "give a shared library built for this machine");
  }
  return {handle, dlclose};
}

void check_version(const tain_target& target, const std::string& where) {
  if (target.abi_version != TAIN_TARGET_ABI) {
    fail(Fault::data, where,
         fmt::format("target has interface version {}, this program {}", target.abi_version,
                     TAIN_TARGET_ABI),
         "rebuild it with this version's tain/target_abi.h and set abi_version to TAIN_TARGET_ABI");
  }
}

void check(const tain_target& target, const std::string& where) {
  if (target.dim == 0) {
    fail(Fault::data, where, "target has dimension 0", "set dim to 1 or more");
  }
  if (!target.value_and_gradient && !target.block) {
    fail(Fault::data, where, "target has nothing to evaluate", "set value_and_gradient or block");
  }
}

/// How a library is opened, and whether it then gives log p.
struct Entry {
  tain_target_open_function open;
  bool log_density;
};

Entry entry_of(void* library, const std::string& where) {
  const auto find = [&](const char* name) {
    return reinterpret_cast<tain_target_open_function>(dlsym(library, name));
  };
  const auto of_potential = find("tain_target_open"), of_log = find("tain_log_density_open");
  if (!of_potential && !of_log) {
    fail(Fault::data, where, "has no function tain_target_open, nor tain_log_density_open",
         "include tain/target_abi.h and export the one for V = -log p, or the one for log p");
  }
  if (of_potential && of_log) {
    fail(Fault::data, where, "has both tain_target_open and tain_log_density_open",
         "export the one for V = -log p, or the one for log p");
  }
  return {of_log ? of_log : of_potential, of_log != nullptr};
}

/// What the library says its target is; nothing else of a refused one is to be trusted.
tain_target describe(tain_target_open_function entry, const std::string& where,
                     const std::string& arguments, std::size_t dim_hint) {
  tain_target target{};
  std::array<char, 512> message{};
  const int status = entry(arguments.c_str(), dim_hint, &target, message.data(), message.size());
  message.back() = '\0';
  if (status != 0) {
    fail(Fault::data, where,
         message[0] ? fmt::format("target refused to open: {}", message.data())
                    : fmt::format("target refused to open with status {}", status),
         "check its arguments");
  }
  check_version(target, where);
  return target;
}

}  // namespace

LibraryTarget LibraryTarget::open(const std::filesystem::path& path, const std::string& arguments,
                                  std::size_t dim_hint) {
  const std::shared_ptr<void> library = load(path);
  auto code = std::make_shared<Code>(path.string(), library);
  const Entry entry = entry_of(library.get(), code->where);
  code->target = describe(entry.open, code->where, arguments, dim_hint);
  code->log_density = entry.log_density;
  check(code->target, code->where);
  code->name = code->target.name ? code->target.name : path.filename().string();
  return LibraryTarget(std::move(code));
}

LibraryTarget LibraryTarget::of_functions(const tain_target& target,
                                          std::shared_ptr<const void> keep, bool log_density) {
  const std::string name = target.name ? target.name : "functions";
  auto code = std::make_shared<Code>("target " + name, std::move(keep));
  check_version(target, code->where);
  code->target = target;
  check(target, code->where);
  code->log_density = log_density;
  code->name = name;
  return LibraryTarget(std::move(code));
}

std::string LibraryTarget::name() const { return code_->name; }
std::size_t LibraryTarget::dim() const { return code_->target.dim; }
bool LibraryTarget::gives_log_density() const { return code_->log_density; }

void LibraryTarget::Code::evaluate_point(const double* x, double& value,
                                         std::span<double> slope) const {
  value = not_written;
  const int status = target.value_and_gradient
                         ? target.value_and_gradient(target.context, x, &value, slope.data())
                         : target.block(target.context, 1, x, &value, slope.data());
  if (status == TAIN_TARGET_REJECT) {
    value = log_density ? -infinity : infinity;
    std::ranges::fill(slope, 0.0);
  } else if (status != TAIN_TARGET_OK) {
    stop(where, status);
  }
}

void LibraryTarget::evaluate(ConstBlock x, std::span<double> value, Block grad,
                             Workspace& ws) const {
  const tain_target& target = code_->target;
  const std::size_t d = target.dim, lanes = x.lanes();
  if (target.block) {
    std::ranges::fill(value.first(lanes), not_written);
    const int status = target.block(target.context, lanes, x.data(), value.data(), grad.data());
    if (status == TAIN_TARGET_OK) {
      return;
    }
    if (status != TAIN_TARGET_REJECT) {
      stop(code_->where, status);
    }
    // Some lane is to be rejected; which one shows below, so that the others do not suffer for it.
  }
  const Workspace::Scope scope(ws);
  const std::span<double> point = ws.array(d), slope = ws.array(d);
  for (std::size_t l = 0; l < lanes; ++l) {
    for (std::size_t i = 0; i < d; ++i) {
      point[i] = x.at(i, l);
    }
    code_->evaluate_point(point.data(), value[l], slope);
    for (std::size_t i = 0; i < d; ++i) {
      grad.at(i, l) = slope[i];
    }
  }
}

}  // namespace tain
