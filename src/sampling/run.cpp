#include "tain/sampling/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/names.hpp"
#include "draws/draws_file.hpp"
#include "sampling/json_text.hpp"
#include "sampling/manifest.hpp"
#include "sampling/manifest_values.hpp"
#include "sampling/run_folder.hpp"
#include "sampling/run_state.hpp"

namespace tain {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void Run::State::judge() {
  Threads pool(threads);
  report.found = diagnose(report.draws, facts(), pool);
  judged = true;
  if (problem) {
    report.outline = problem->map.outline();
    report.laws = marginal_laws(problem->map, problem->target);
  }
}

RunFacts Run::State::facts() const {
  const RunSummary& done = report.record.done;
  const Draws& draws = report.draws;
  const bool foreign = report.record.plan.kernel.empty();
  RunFacts facts{.total_draws = draws.chains * draws.draws,
                 .bias_indicator = done.bias_indicator,
                 .bias_unknown = done.bias_unknown,
                 .thin = done.thin,
                 .foreign = foreign,
                 .adjusted_unknown = foreign && draws.acceptance.empty(),
                 .modes = search.modes,
                 .unvisited = search.unvisited,
                 .one_start = search.one_start,
                 .improper = search.improper,
                 .sign_note = search.sign_note};
  if (!foreign || !draws.diverging.empty()) {
    facts.divergences = done.divergences;
  }
  return facts;
}

DrawsInfo Run::State::info() const {
  const RunRecord& record = report.record;
  return {.map = record.map,
          .target = record.target,
          .kernel = record.plan.kernel,
          .step_size = record.done.tuning.step_size,
          .seed = record.plan.seed,
          .thin = record.done.thin,
          .stop_reason = record.stop_reason,
          .request = request};
}

const Draws& Run::draws() const { return state_->report.draws; }
bool Run::finished() const { return record().done.finished; }
bool Run::resumable() const { return state_->resumable && !finished(); }
bool Run::judged() const { return state_->judged; }
const RunRecord& Run::record() const { return state_->report.record; }

const Diagnosis& Run::diagnosis() const {
  if (!state_->judged) {
    fail(
        Fault::config, Field{"draws"},
        fmt::format("the run was stopped after {} of {}", record().done.draws, record().plan.draws),
        "let it run longer: from 4 on they can be judged");
  }
  return state_->report.found;
}

Array Run::operator[](std::string_view name) const {
  const Draws& all = draws();
  std::vector<Parameter> known = all.parameters;
  if (known.empty()) {
    known = parameters_of(all.names);
  }
  std::vector<std::string_view> names;
  std::ranges::transform(known, std::back_inserter(names), &Parameter::name);
  const auto found = std::ranges::find(known, name, &Parameter::name);
  if (found == known.end()) {
    const std::string_view near = nearest_name(name, names);
    fail(Fault::usage, fmt::format("'{}'", name), "is no parameter of the run",
         near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                      : fmt::format("did you mean '{}'?", near));
  }
  Array array{{}, {all.chains, all.draws}};
  array.shape.insert(array.shape.end(), found->shape.begin(), found->shape.end());
  const std::size_t dim = all.names.size();
  for (std::size_t row = 0; row < all.chains * all.draws; ++row) {
    const auto part = all.values.subspan(row * dim + found->first, found->count);
    array.values.insert(array.values.end(), part.begin(), part.end());
  }
  return array;
}

std::vector<ExactMoment> Run::exact() const {
  if (!state_->problem || draws().draws == 0) {
    return {};
  }
  const auto& [map, target, form] = *state_->problem;
  return compare_exact(draws(), map, target.facts(map));
}

std::string Run::text(const TextStyle& style) const { return diagnosis().text(style); }

void Run::save(const fs::path& path, Overwrite overwrite) const {
  if (draws().draws == 0) {
    fail(Fault::config, Field{"draws"},
         "the run was stopped before its first draw; there is nothing to save");
  }
  const fs::path manifest = manifest_file(path);
  std::vector<NamedPath> files{{Field{"path"}, manifest}};
  for (const fs::path& file : output_files(path, static_cast<std::uint32_t>(draws().chains))) {
    files.push_back({Field{"path"}, file});
  }
  require_apart(files, state_->read);
  for (const NamedPath& file : files) {
    require_creatable(Field{"path"}, file.path, overwrite);
  }
  write_draws(path, draws(), state_->info());
  if (judged() && !record().plan.kernel.empty()) {
    Json asked = parse_json(state_->request);
    if (!asked.is_object()) {  // draws whose file told nothing of it
      asked = Json::object();
    }
    asked.erase("version");
    write_atomically(
        manifest, json_text(manifest_json(state_->report, state_->search, asked, path), 2) + "\n");
  } else {
    std::error_code ignored;  // that of the draws which are no more: by its checksum not theirs
    fs::remove(manifest, ignored);
  }
}

Chapter Run::chapter() const {
  static_cast<void>(diagnosis());
  return {run_title(state_->report), run_lead(state_->report), [state = state_](Page& page) {
            Threads threads(state->threads);
            add_run(page, state->report, threads);
          }};
}

void Run::report(const fs::path& path, Overwrite overwrite) const {
  const Chapter whole = chapter();
  const NamedPath page{Field{"path"}, path};
  require_apart({&page, 1}, state_->read);
  require_apart({&page, 1}, state_->written);
  require_creatable(Field{"path"}, path, overwrite);
  write_atomically(path, page_of(whole));
}

}  // namespace tain
