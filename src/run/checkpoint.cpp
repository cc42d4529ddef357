// A run to a file and back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/file.hpp"
#include "run/state.hpp"
#include "tain/core/error.hpp"

namespace tain {

namespace {
constexpr std::string_view format_name = "tain checkpoint 4";
}

// Covers plan, problem and the bits of W at the start, hence data and instruction set too.
std::uint64_t Sampler::State::request_fingerprint() const {
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {}", problem.map.name(), problem.target.name(),
                  W.dim(), plan.kernel, plan.seed, plan.chains, plan.warmup, plan.draws,
                  plan.thin.value_or(0), diagonal);
  const auto number = [&](double v) { text += fmt::format(" {}", v); };
  if (plan.step_size) {
    number(plan.step_size->a);
    number(plan.step_size->b);
    number(plan.step_size->c);
  }
  number(target_acceptance);
  number(plan.trajectory_length.value_or(-1));
  number(double(plan.on_non_finite));
  text +=
      fmt::format(" {} {} {}", plan.batch.size, int(plan.batch.replacement), plan.control_variates);
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

std::uint64_t Sampler::State::tuning_fingerprint() const {
  std::string text = fmt::format("{} {} {}", tuning.step_size, tuning.trajectory_length, thin);
  for (const double s : tuning.scale) {
    text += fmt::format(" {}", s);
  }
  return fingerprint(text);
}

std::vector<double> Sampler::State::own_records() const {
  const std::size_t dim = W.dim(), memory_rows = kernel->memory_rows(dim);
  std::vector<double> records;
  records.reserve(own.count * record_size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t l = 0; l < blocks[b].chains; ++l) {
      const std::size_t chain = blocks[b].first_chain - own.first + l;
      records.push_back(acceptance_sum[chain]);
      records.push_back(diverged[chain]);
      for (std::size_t i = 0; i < dim; ++i) {
        records.push_back(blocks[b].y.view().at(i, l));
      }
      for (std::size_t i = 0; i < memory_rows; ++i) {
        records.push_back(blocks[b].memory.view().at(i, l));
      }
      records.push_back(infos[b].acceptance[l]);
      records.push_back(lost_now[b][l]);
    }
  }
  return records;
}

std::vector<double> Sampler::State::all_records() const {
  const std::vector<double> records = own_records();
  const std::unique_ptr<Transfer> transfer = comm.transfer();
  std::vector<std::span<const std::byte>> to(static_cast<std::size_t>(comm.ranks()));
  to[0] = std::as_bytes(std::span(records));
  transfer->exchange(to);
  transfer->wait();
  std::vector<double> all;
  for (int rank = 0; comm.is_root() && rank < comm.ranks(); ++rank) {
    const std::span<const std::byte> bytes = transfer->from(rank);
    const auto* numbers = reinterpret_cast<const double*>(bytes.data());
    all.insert(all.end(), numbers, numbers + bytes.size() / sizeof(double));
  }
  return all;
}

void Sampler::State::take_records(std::span<const double> all) {
  const std::size_t dim = W.dim(), memory_rows = kernel->memory_rows(dim);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    ChainBlock& block = blocks[b];
    for (std::size_t l = 0; l < block.lanes(); ++l) {
      // Padding repeats the last chain.
      const std::size_t chain = block.first_chain + std::min(l, block.chains - 1);
      const double* number = all.data() + chain * record_size();
      acceptance_sum[chain - own.first] = *number++;
      diverged[chain - own.first] = *number++;
      for (std::size_t i = 0; i < dim; ++i) {
        block.y.view().at(i, l) = *number++;
      }
      for (std::size_t i = 0; i < memory_rows; ++i) {
        block.memory.view().at(i, l) = *number++;
      }
      infos[b].acceptance[l] = *number++;
      lost_now[b][l] = *number++;
    }
    evaluate(W, block, workspaces[b]);
  }
}

void Sampler::State::archive(Archive& a, std::span<double> records) {
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
  const std::size_t size = record_size();
  for (const std::size_t column : {0, 1}) {
    std::vector<double> values(plan.chains);
    for (std::size_t chain = 0; chain < plan.chains; ++chain) {
      values[chain] = records[chain * size + column];
    }
    a.field(values);
    a.require(values.size() == plan.chains, "has other chains");
    for (std::size_t chain = 0; chain < plan.chains; ++chain) {
      records[chain * size + column] = values[chain];
    }
  }
  // Chain by chain: a resumed run may cut chains into other blocks.
  for (std::size_t chain = 0; chain < plan.chains; ++chain) {
    a.field(records.subspan(chain * size + 2, size - 2));
  }
}

std::uint64_t Sampler::draws() const { return state_->draws_done(); }

void Sampler::State::require_possible(const Archive& a, std::span<const double> records) const {
  const std::size_t dim = W.dim();
  const auto is_finite = [](double number) { return std::isfinite(number); };
  const auto is_positive = [](double number) { return number > 0 && std::isfinite(number); };
  const auto is_count = [&](double count) {
    return count >= 0 && count <= static_cast<double>(t) && count == std::floor(count);
  };
  const auto is_share = [](double share) { return share >= 0 && share <= 1; };
  const std::uint64_t most_thin = t < plan.warmup ? 1 : longest_automatic_thin;
  a.require(plan.thin ? thin == *plan.thin : thin >= 1 && thin <= most_thin,
            "keeps another number of steps for each draw");
  a.require(t <= total_steps() && probes <= (t + 1) * 100, "is beyond the last step");
  a.require((variance.empty() || variance.size() == dim) &&
                std::ranges::all_of(variance, [](double v) { return v >= 0; }),
            "has variances that are none");
  a.require(is_positive(tuning.step_size) && is_positive(tuning.trajectory_length) &&
                tuning.max_leapfrogs >= 1 && tuning.max_leapfrogs <= Tuning{}.max_leapfrogs &&
                (tuning.probe_every == 1 || tuning.probe_every == walk.probe_every),
            "has steps that no run takes");
  a.require(tuning.scale.size() == (diagonal ? dim : 0) &&
                std::ranges::all_of(tuning.scale, is_positive) &&
                (tuning.centre.empty() || tuning.centre.size() == dim) &&
                std::ranges::all_of(tuning.centre, is_finite),
            "has scales of other coordinates, or none that can be");
  // Of every chain: see record_size().
  for (std::size_t chain = 0; chain < plan.chains; ++chain) {
    const auto record = records.subspan(chain * record_size(), record_size());
    const std::size_t last = record.size() - 2;
    a.require(record[0] >= 0 && record[0] <= static_cast<double>(t) && is_count(record[1]) &&
                  std::ranges::all_of(record.subspan(2, last - 2), is_finite) &&
                  is_share(record[last]) && is_count(record[last + 1]),
              "has a chain where none can be");
  }
}

void Sampler::save(const std::filesystem::path& path, std::uint64_t checksum) const {
  std::vector<double> records = state_->all_records();
  if (!state_->comm.is_root()) {
    return;
  }
  Archive a;
  std::string name(format_name);
  std::uint64_t request = state_->request_fingerprint();
  a.field(name);
  a.field(request);
  a.field(checksum);
  state_->archive(a, records);
  write_atomically(path, a.finish());
}

std::uint64_t Sampler::restore(const std::filesystem::path& path) {
  State& s = *state_;
  std::string bytes =
      s.comm.is_root() ? read_file(path, std::numeric_limits<std::uint64_t>::max()) : std::string();
  bytes.resize(broadcast_value(s.comm, bytes.size()));
  s.comm.broadcast(std::as_writable_bytes(std::span(bytes)), 0);
  Archive a(std::move(bytes), path.string());
  std::string name;
  std::uint64_t request = 0, checksum = 0;
  a.field(name);
  a.field(request);
  a.field(checksum);
  if (name != format_name || request != s.request_fingerprint()) {
    fail(Fault::data, path.string(), "belongs to another problem, plan, version or instruction set",
         "resume with the options of the first run, or start afresh");
  }
  std::vector<double> records(s.plan.chains * s.record_size());
  s.archive(a, records);
  a.expect_end();
  s.require_possible(a, records);
  s.take_records(records);
  return checksum;
}

}  // namespace tain
