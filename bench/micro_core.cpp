// Speed of the vector arithmetic: elementary functions, softmax, fused steps, matrix product.
// Figures to read: ns per element (items), GFlop/s of the product.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "core/lanes.hpp"
#include "core/simd.hpp"
#include "kernels/lane_steps.hpp"

namespace {

using namespace tain;

void label(benchmark::State& state, std::size_t elements) {
  state.SetLabel(std::string(isa_name(current_isa())));
  state.counters["ns_per_element"] = benchmark::Counter(
      static_cast<double>(elements) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BlockStorage filled(std::size_t rows, std::size_t lanes) {
  BlockStorage block(rows, lanes);
  for (std::size_t k = 0; k < rows * lanes; ++k) {
    block.view().flat()[k] = 3.0 * std::sin(static_cast<double>(k));
  }
  return block;
}

template <void (*Function)(lanes::In, lanes::Out)>
void elementwise(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  BlockStorage x = filled(16, 64);
  for (double& v : x.view().flat()) {
    v = std::abs(v) + 0.1;
  }
  BlockStorage out(16, 64);
  for (auto _ : state) {
    Function(x.view().flat(), out.view().flat());
    benchmark::ClobberMemory();
  }
  label(state, x.view().size());
}

void standard_exp(benchmark::State& state) {
  const BlockStorage x = filled(16, 64);
  BlockStorage out(16, 64);
  for (auto _ : state) {
    for (std::size_t k = 0; k < x.view().size(); ++k) {
      out.view().flat()[k] = std::exp(x.view().flat()[k]);
    }
    benchmark::ClobberMemory();
  }
  label(state, x.view().size());
}

void softmax(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  const auto rows = static_cast<std::size_t>(state.range(1));
  const BlockStorage y = filled(rows, 64);
  BlockStorage x(rows, 64);
  std::vector<double> lse(64);
  for (auto _ : state) {
    lanes::softmax(y.view(), x.view(), lse);
    benchmark::ClobberMemory();
  }
  label(state, y.view().size());
}

void langevin(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  const BlockStorage y = filled(10, 64);
  const BlockStorage grad = filled(10, 64);
  const FloatBlockStorage xi(10, 64);
  BlockStorage out(10, 64);
  for (auto _ : state) {
    lanes::langevin(y.view(), grad.view(), xi.view(), 0.1, {}, out.view());
    benchmark::ClobberMemory();
  }
  label(state, y.view().size());
}

void multiply(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  const auto n = static_cast<std::size_t>(state.range(1));
  const auto band = static_cast<std::size_t>(state.range(2));
  std::vector<double> values(n * n, 0.5);
  std::vector<std::uint32_t> first(n), last(n);
  double flops = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    first[i] = static_cast<std::uint32_t>(i > band ? i - band : 0);
    last[i] = static_cast<std::uint32_t>(std::min(n, i + band + 1));
    flops += 2.0 * 64.0 * (last[i] - first[i]);
  }
  const BlockStorage x = filled(n, 64);
  BlockStorage out(n, 64);
  for (auto _ : state) {
    lanes::multiply({values, first, last, n, n}, x.view(), out.view());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  state.counters["GFlop"] =
      benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

// Independent fused multiply-adds in registers: the ceiling for `multiply` on this machine, now.
#if defined(__x86_64__)
__attribute__((target("avx512f"))) void fma_peak_avx512(benchmark::State& state) {
  using Vector [[gnu::vector_size(64)]] = double;
  for (auto _ : state) {
    Vector s[12];
#pragma GCC unroll 12
    for (auto& v : s) {
      v = Vector{} + 0.1;
    }
    Vector a = Vector{} + 0.999;
    for (int k = 0; k < 1000; ++k) {
#pragma GCC unroll 12
      for (auto& v : s) {
        asm("vfmadd231pd %1, %1, %0" : "+v"(v) : "v"(a));
      }
    }
#pragma GCC unroll 12
    for (auto& v : s) {
      asm volatile("" ::"v"(v));
    }
  }
  state.counters["GFlop"] =
      benchmark::Counter(12 * 1000 * 16 * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  for (const Isa isa : supported_isas()) {
    const auto arg = static_cast<std::int64_t>(isa);
    benchmark::RegisterBenchmark("exp", elementwise<lanes::exp>)->Arg(arg);
    benchmark::RegisterBenchmark("log", elementwise<lanes::log>)->Arg(arg);
    benchmark::RegisterBenchmark("tanh", elementwise<lanes::tanh>)->Arg(arg);
    benchmark::RegisterBenchmark("softplus", elementwise<lanes::softplus>)->Arg(arg);
    benchmark::RegisterBenchmark("softmax", softmax)->Args({arg, 10})->Args({arg, 100});
    benchmark::RegisterBenchmark("langevin", langevin)->Arg(arg);
    for (const std::int64_t n : {10, 100, 1000}) {
      benchmark::RegisterBenchmark("multiply_dense", multiply)->Args({arg, n, n});
    }
    benchmark::RegisterBenchmark("multiply_tridiagonal", multiply)->Args({arg, 1000, 1});
  }
  benchmark::RegisterBenchmark("std_exp", standard_exp);
#if defined(__x86_64__)
  if (supported_isas().back() == Isa::avx512) {
    benchmark::RegisterBenchmark("fma_peak_avx512", fma_peak_avx512);
  }
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
