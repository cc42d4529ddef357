#include "maps/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "maps/sets/kinds.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// As variables of netCDF and columns of Stan: a letter, then letters, digits and underscores.
void require_name(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto fits = [&](char c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); };
  if (!is_letter(name.front()) || !std::ranges::all_of(name, fits) || name.ends_with("__")) {
    fail(Fault::config, Field{"name", name}, "is no name of a parameter",
         "begin with a letter, go on with letters, digits and single underscores");
  }
  if (name == "chain" || name == "draw" || name.ends_with("_dim_0")) {
    fail(Fault::config, Field{"name", name}, "is what files of draws call an axis",
         "give the part another");
  }
}

class ProductSet final : public SetKind {
 public:
  explicit ProductSet(std::vector<Part> parts) : parts_(std::move(parts)) {
    if (parts_.empty()) {
      fail(Fault::config, "product", "there is no factor", "give one set or more");
    }
    std::set<std::string_view> names;
    for (const Part& part : parts_) {
      if (part.name.empty() != parts_.front().name.empty()) {
        fail(Fault::config, Field{"name"}, "some parts have names and others have none",
             "name all of them, or none");
      }
      if (!part.name.empty()) {
        require_name(part.name);
      }
      if (!part.name.empty() && !names.insert(part.name).second) {
        fail(Fault::config, Field{"name", part.name}, "is given twice", "give every part its own");
      }
      dims_.push_back(part.set.dim());
      depth_ = std::max(depth_, 1 + part.set.kind().depth());
    }
  }

  std::string_view name() const override { return "product"; }
  std::span<const Part> parts() const override { return parts_; }
  std::unique_ptr<SetKind> clone() const override { return std::make_unique<ProductSet>(*this); }

  void claim(Dimension& dimension) const override {
    std::size_t total = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!dims_[i] && parts_[i].name.empty()) {
        fail(Fault::config, "product",
             fmt::format("how many coordinates its {} has is not known",
                         parts_[i].set.kind().name()),
             "give it a dim, or a name: a named part without one is a number");
      }
      total += dims_[i].value_or(1);
    }
    dimension.claim(total, "product");
  }

  AnyMap map(std::size_t, const MapHints&) const override {
    std::vector<AnyMap> factors;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      factors.push_back(parts_[i].set.map(dims_[i].value_or(1)));
    }
    return ProductMap(std::move(factors));
  }

  /// Parts that know their dimension were looked at when they were made.
  void check(std::size_t) const override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!dims_[i]) {
        parts_[i].set.kind().check(1);
      }
    }
  }

  std::size_t depth() const override { return depth_; }

  bool bounded() const override {
    return std::ranges::all_of(parts_, [](const Part& part) { return part.set.kind().bounded(); });
  }

  std::string text() const override {
    std::string inside;
    for (const Part& part : parts_) {
      inside += inside.empty() ? "" : ", ";
      inside += part.name.empty() ? "" : part.name + " = ";
      inside += part.set.text();
    }
    return fmt::format("product({})", inside);
  }

 private:
  std::vector<Part> parts_;
  std::vector<Dim> dims_;  // of the parts
  std::size_t depth_ = 1;
};

}  // namespace

Set product(std::vector<Part> parts) { return checked(ProductSet(std::move(parts))); }

Set product(std::vector<Set> parts) {
  std::vector<Part> nameless;
  for (Set& set : parts) {
    nameless.push_back({"", std::move(set)});
  }
  return product(std::move(nameless));
}

SetEntry product_entry() {
  return {"product", {}, "several sets side by side, each with its own map", nullptr, {"name"}};
}

}  // namespace tain
