#include "core/simd.hpp"

#include <fmt/format.h>
#include <hwy/highway.h>

#include "tain/core/error.hpp"

namespace tain {

namespace {

constexpr std::int64_t baseline_targets = HWY_SCALAR | HWY_EMU128;

std::int64_t target_of(Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return HWY_AVX2;
    case Isa::avx512:
      return HWY_AVX3;
    case Isa::baseline:
      break;
  }
  return baseline_targets;
}

// What the processor has, whatever was pinned. Highway's own answer is replaced by a pin, hence it
// is asked once, before any.
std::int64_t machine_targets() {
  static const std::int64_t targets = hwy::SupportedTargets();
  return targets;
}

std::int64_t& pinned_target() {
  static std::int64_t target = 0;
  return target;
}

}  // namespace

std::vector<Isa> supported_isas() {
  std::vector<Isa> isas{Isa::baseline};
  for (const Isa isa : {Isa::avx2, Isa::avx512}) {
    if ((machine_targets() & target_of(isa) & HWY_TARGETS) != 0) {
      isas.push_back(isa);
    }
  }
  return isas;
}

Isa current_isa() {
  const std::int64_t targets = pinned_target() != 0 ? pinned_target() : machine_targets();
  for (const Isa isa : {Isa::avx512, Isa::avx2}) {
    if ((targets & target_of(isa) & HWY_TARGETS) != 0) {
      return isa;
    }
  }
  return Isa::baseline;
}

void pin_isa(Isa isa) {
  for (const Isa candidate : supported_isas()) {
    if (candidate == isa) {
      pinned_target() = target_of(isa);
      hwy::SetSupportedTargetsForTest(target_of(isa));
      hwy::GetChosenTarget().Update(target_of(isa));
      return;
    }
  }
  fail(Fault::config, "instruction set",
       fmt::format("this machine does not have {}", isa_name(isa)),
       fmt::format("use {} or leave it out", isa_name(supported_isas().back())));
}

std::string_view isa_name(Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
    case Isa::baseline:
      break;
  }
  return "baseline";
}

Isa parse_isa(std::string_view name) {
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (name == isa_name(isa)) {
      return isa;
    }
  }
  fail(Fault::usage, Field{"isa"}, fmt::format("unknown instruction set '{}'", name),
       "use baseline, avx2 or avx512");
}

}  // namespace tain
