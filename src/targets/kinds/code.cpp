// Targets that are code: functions of whoever calls the library, and shared libraries.
#include <fmt/format.h>

#include "targets/dirichlet.hpp"
#include "targets/log_density.hpp"
#include "targets/target_kind.hpp"
#include "targets/uniform.hpp"
#include "targets/user_target.hpp"

namespace tain {
namespace {

class CodeKind final : public TargetKind {
 public:
  CodeKind(AnyPotential code, std::vector<std::string> names)
      : code_(std::move(code)), names_(std::move(names)) {}
  std::string name() const override { return code_.name(); }
  bool is_code() const override { return true; }
  bool is_own() const override { return true; }
  void claim(Dimension& dimension) const override {
    dimension.claim(code_.dim(), fmt::format("target {}", code_.name()));
  }
  AnyPotential potential(Dim) const override { return code_; }
  std::vector<std::string> names() const override { return names_; }
  std::optional<Set> own_set() const override {
    if (code_.as<Uniform>()) {
      return std::nullopt;
    }
    return bound_to_own_set() ? simplex() : real();
  }
  bool bound_to_own_set() const override { return code_.as<DirichletPosterior>() != nullptr; }
  std::unique_ptr<TargetKind> clone() const override { return std::make_unique<CodeKind>(*this); }

 private:
  AnyPotential code_;
  std::vector<std::string> names_;
};

/// One point at a time.
struct Point {
  PointFunction function;
  std::size_t coordinates;
  std::size_t dim() const { return coordinates; }
  double value_and_grad(std::span<const double> x, std::span<double> gradient) const {
    return function(x, gradient);
  }
};

/// What the value of a function is.
enum class Gives { potential, log_density };

AnyPotential potential_of(AnyPotential code, Gives gives) {
  return gives == Gives::potential ? code : AnyPotential(LogDensity(std::move(code)));
}

class PointKind final : public TargetKind {
 public:
  PointKind(PointFunction function, Gives gives, Dim dim, std::string name)
      : function_(std::move(function)), gives_(gives), dim_(dim), name_(std::move(name)) {}
  std::string name() const override { return name_; }
  bool is_code() const override { return true; }
  bool is_own() const override { return true; }
  void claim(Dimension& dimension) const override {
    if (dim_) {
      dimension.claim(*dim_, fmt::format("target {}", name_));
    }
  }
  AnyPotential potential(Dim dim) const override {
    return potential_of(PointTarget<Point>(name_, {function_, known(dim)}), gives_);
  }
  std::unique_ptr<TargetKind> clone() const override { return std::make_unique<PointKind>(*this); }

 private:
  PointFunction function_;
  Gives gives_;
  Dim dim_;
  std::string name_;
};

Target of_function(PointFunction function, Gives gives, Dim dim, std::string name) {
  if (!function) {
    fail(Fault::config, fmt::format("target {}", name), "the function is empty",
         "give one that can be called");
  }
  return Target(
      std::make_shared<const PointKind>(std::move(function), gives, dim, std::move(name)));
}

class LibraryKind final : public TargetKind {
 public:
  LibraryKind(std::filesystem::path file, std::string arguments)
      : file_(std::move(file)), arguments_(std::move(arguments)) {}
  std::string name() const override { return file_.string(); }
  bool is_own() const override { return true; }
  void describe(Fields& fields) override {
    std::optional<std::string> arguments =
        arguments_.empty() ? std::nullopt : std::optional(arguments_);
    fields.field("target_arguments", arguments);
    arguments_ = arguments.value_or("");
  }
  void claim(Dimension&) const override {}
  AnyPotential potential(Dim dim) const override {
    const LibraryTarget target = LibraryTarget::open(file_, arguments_, dim.value_or(0));
    return potential_of(target, target.gives_log_density() ? Gives::log_density : Gives::potential);
  }
  std::unique_ptr<TargetKind> clone() const override {
    return std::make_unique<LibraryKind>(*this);
  }

 private:
  std::filesystem::path file_;
  std::string arguments_;
};

}  // namespace

Target::Target(AnyPotential code, std::vector<std::string> names)
    : Target(std::make_shared<const CodeKind>(std::move(code), std::move(names))) {}

Target potential(PointFunction V, Dim dim, std::string name) {
  return of_function(std::move(V), Gives::potential, dim, std::move(name));
}

Target target(PointFunction V, Dim dim, std::string name) {
  return potential(std::move(V), dim, std::move(name));
}

Target log_density(PointFunction log_p, Dim dim, std::string name) {
  return of_function(std::move(log_p), Gives::log_density, dim, std::move(name));
}

Target log_density(AnyPotential log_p, std::vector<std::string> names) {
  return {LogDensity(std::move(log_p)), std::move(names)};
}

Target library(const std::filesystem::path& file, std::string arguments) {
  return Target(std::make_shared<const LibraryKind>(file, std::move(arguments)));
}

TargetEntry library_entry() {
  return {"./file.so",
          "your own, from a shared library built with tain/target_abi.h",
          nullptr,
          {"target_arguments"}};
}

}  // namespace tain
