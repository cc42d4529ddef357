// Speed of the noise: ns per normal against the standard library, and against a bound: a cheaper
// generator (xoshiro128++, sixteen of them side by side) in front of the same transform, that is
// what position-addressed randomness costs over a generator with a history.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "micro_random.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "random/box_muller-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

template <class V>
struct Xoshiro {
  V s0, s1, s2, s3;
  HWY_INLINE V next() {
    const V sum = hn::Add(s0, s3);
    const V result = hn::Add(hn::Or(hn::ShiftLeft<7>(sum), hn::ShiftRight<25>(sum)), s0);
    const V t = hn::ShiftLeft<9>(s1);
    s2 = hn::Xor(s2, s0);
    s3 = hn::Xor(s3, s1);
    s1 = hn::Xor(s1, s2);
    s0 = hn::Xor(s0, s3);
    s2 = hn::Xor(s2, t);
    s3 = hn::Or(hn::ShiftLeft<11>(s3), hn::ShiftRight<21>(s3));
    return result;
  }
};

void bound_normals(float* out, std::size_t size) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const std::size_t width = hn::Lanes(d);
  Xoshiro<hn::Vec<decltype(du)>> source{hn::Iota(du, 1u), hn::Iota(du, 1234567u),
                                        hn::Iota(du, 87654321u), hn::Iota(du, 99u)};
  for (std::size_t k = 0; k + 2 * width <= size; k += 2 * width) {
    const auto r = radius(d, source.next());
    const auto [cosine, sine] = direction(d, source.next());
    hn::StoreU(hn::Mul(r, cosine), d, out + k);
    hn::StoreU(hn::Mul(r, sine), d, out + k + width);
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/simd.hpp"
#include "random/gamma.hpp"

namespace tain {

HWY_EXPORT(bound_normals);

namespace {

void label(benchmark::State& state, std::size_t draws) {
  state.counters["ns_per_draw"] = benchmark::Counter(
      static_cast<double>(draws) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void normals(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  FloatBlockStorage block(static_cast<std::size_t>(state.range(1)),
                          static_cast<std::size_t>(state.range(2)));
  const NoiseField field(1);
  std::uint64_t step = 0;
  for (auto _ : state) {
    field.normals(Purpose::proposal, step++, 0, block.view());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  label(state, block.view().size());
}

void uniforms(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  std::vector<double> out(64);
  const NoiseField field(1);
  std::uint64_t step = 0;
  for (auto _ : state) {
    field.uniforms(Purpose::acceptance, step++, 0, out);
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  label(state, out.size());
}

void bound(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  FloatBlockStorage block(100, 64);
  for (auto _ : state) {
    HWY_DYNAMIC_DISPATCH(bound_normals)(block.view().data(), block.view().size());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  label(state, block.view().size());
}

void standard_normals(benchmark::State& state) {
  std::vector<double> out(6400);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  for (auto _ : state) {
    for (double& x : out) {
      x = normal(engine);
    }
    benchmark::ClobberMemory();
  }
  label(state, out.size());
}

void stream_normal(benchmark::State& state) {
  Stream source(NoiseField(1), Purpose::direct, 0, 0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(source.normal());
  }
  label(state, 1);
}

/// Shapes as topics have them: nine in ten the common one, others from 1 up.
FloatBlockStorage gamma_shapes(double common) {
  FloatBlockStorage shapes(64, 64);
  for (std::size_t i = 0; i < shapes.view().size(); ++i) {
    shapes.view().data()[i] = static_cast<float>(common + (i % 10 == 0 ? 1.0 + double(i % 97) : 0));
  }
  return shapes;
}

void gammas(benchmark::State& state, double common, bool steps) {
  pin_isa(static_cast<Isa>(state.range(0)));
  const Gammas law(static_cast<float>(common));
  const FloatBlockStorage shapes = gamma_shapes(common);
  FloatBlockStorage out = gamma_shapes(common);
  const NoiseField field(1);
  NoisePlace place{Purpose::direct};
  for (auto _ : state) {
    ++place.step;
    if (steps) {
      law.step(field, place, shapes.view(), 0.3, out.view(), out.view());
    } else {
      law.draw(field, place, shapes.view(), out.view());
    }
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  label(state, out.view().size());
}
void gamma_draws(benchmark::State& state) { gammas(state, 0.05, false); }
void gamma_steps(benchmark::State& state) { gammas(state, 0.05, true); }

void gamma_logarithms(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  BlockStorage shapes(64, 64), out(64, 64);
  std::ranges::fill(shapes.view().flat(), static_cast<double>(state.range(1)) / 10);
  const NoiseField field(1);
  NoisePlace place{Purpose::direct};
  for (auto _ : state) {
    ++place.step;
    log_gammas(field, place, shapes.view(), out.view());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  label(state, out.view().size());
}

}  // namespace
}  // namespace tain

int main(int argc, char** argv) {
  using namespace tain;
  for (const Isa isa : supported_isas()) {
    const auto arg = static_cast<std::int64_t>(isa);
    benchmark::RegisterBenchmark("normals", normals)
        ->Args({arg, 10, 8})
        ->Args({arg, 10, 64})
        ->Args({arg, 100, 64});
    benchmark::RegisterBenchmark("uniforms", uniforms)->Arg(arg);
    benchmark::RegisterBenchmark("bound_xoshiro", bound)->Arg(arg);
    benchmark::RegisterBenchmark("gamma_draws", gamma_draws)->Arg(arg);
    benchmark::RegisterBenchmark("gamma_steps", gamma_steps)->Arg(arg);
    benchmark::RegisterBenchmark("gamma_logarithms", gamma_logarithms)
        ->Args({arg, 1})
        ->Args({arg, 100});
  }
  benchmark::RegisterBenchmark("std_normal_mt19937_64", standard_normals);
  benchmark::RegisterBenchmark("stream_normal", stream_normal);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
#endif  // HWY_ONCE
