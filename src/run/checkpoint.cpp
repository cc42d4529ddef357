// A run to a file and back.
#include <fmt/format.h>

#include <algorithm>

#include "state.hpp"
#include "tain/core/error.hpp"
#include "tain/core/file.hpp"

namespace tain {

namespace {
constexpr std::string_view format_name = "tain checkpoint 3";
}

// Covers plan, problem and the bits of W at the start, hence data and instruction set too.
std::uint64_t Sampler::State::request_fingerprint() const {
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {}", problem.map.name(), problem.target.name(),
                  W.dim(), plan.kernel, plan.seed, plan.chains, plan.warmup, plan.draws,
                  plan.thin.value_or(0), diagonal);
  const auto number = [&](double v) { text += fmt::format(" {}", v); };
  if (plan.step_size) {
    number(plan.step_size->initial);
    number(plan.step_size->offset);
    number(plan.step_size->exponent);
  }
  number(target_acceptance);
  number(plan.trajectory_length.value_or(-1));
  number(double(plan.on_non_finite));
  text += fmt::format(" {} {} {}", plan.batch.size, int(plan.batch.replacement), plan.anchor_every);
  number(plan.smoothing.value_or(-1));
  Workspace ws;
  ChainBlock start(0, 1, dual.dim());
  for (std::size_t i = 0; i < dual.dim(); ++i) {
    std::fill_n(start.y.view().row(i), lane_group, y0[i] + 0.25);
  }
  evaluate(dual, start, ws);
  number(start.value[0]);
  for (std::size_t i = 0; i < dual.dim(); ++i) {
    number(start.grad.view().at(i, 0));
  }
  return fingerprint(text);
}

void Sampler::State::archive(Archive& a) {
  a.field(t);
  a.field(gradients);
  a.field(probes);
  a.field(thin);
  a.field(variance);
  a.field(tuning.step_size);
  a.field(tuning.trajectory_length);
  a.field(tuning.scale);
  a.field(tuning.centre);
  a.field(tuning.max_leapfrogs);
  a.field(tuning.probe_every);
  step_adaptation.archive(a);
  moments.archive(a);
  length_ascent.archive(a);
  history.archive(a);
  a.field(acceptance_sum);
  a.field(diverged);
  // Chain by chain: a resumed run may cut chains into other blocks.
  const std::size_t dim = W.dim(), memory_rows = kernel->memory_rows(dim);
  std::vector<double> chain(dim + memory_rows + 2);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Block y = blocks[b].y.view(), memory = blocks[b].memory.view();
    const auto each = [&](std::size_t l, auto&& f) {
      for (std::size_t i = 0; i < dim; ++i) {
        f(chain[i], y.at(i, l));
      }
      for (std::size_t i = 0; i < memory_rows; ++i) {
        f(chain[dim + i], memory.at(i, l));
      }
      f(chain[dim + memory_rows], infos[b].acceptance[l]);
      f(chain[dim + memory_rows + 1], lost_now[b][l]);
    };
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      if (l < blocks[b].chains) {
        each(l, [](double& saved, const double& live) { saved = live; });
        a.field(std::span<double>(chain));
      }
      if (a.reading()) {  // padding repeats the last chain
        each(l, [](const double& saved, double& live) { live = saved; });
      }
    }
    if (a.reading()) {
      evaluate(W, blocks[b], workspaces[b]);
    }
  }
}

void Sampler::save(const std::filesystem::path& path) const {
  Archive a;
  std::string name(format_name);
  std::uint64_t request = state_->request_fingerprint();
  a.field(name);
  a.field(request);
  state_->archive(a);
  write_atomically(path, a.finish());
}

void Sampler::restore(const std::filesystem::path& path) {
  Archive a(read_file(path), path.string());
  std::string name;
  std::uint64_t request = 0;
  a.field(name);
  a.field(request);
  if (name != format_name || request != state_->request_fingerprint()) {
    fail(Fault::data, path.string(), "belongs to another problem, plan, version or instruction set",
         "resume with the options of the first run, or start afresh");
  }
  state_->archive(a);
  a.expect_end();
}

}  // namespace tain
