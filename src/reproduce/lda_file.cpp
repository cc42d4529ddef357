#include "reproduce/lda_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "reproduce/curve_lists.hpp"
#include "reproduce/study_file.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

Json plan_json(const LdaStudySettings& plan) {
  Json grids = Json::array();
  for (const LdaGrid& grid : plan.grids) {
    grids.push_back({{"method", grid.method},
                     {"topics", grid.topics},
                     {"steps", grid.steps},
                     {"first_weight", grid.first_weight},
                     {"floor", grid.floor}});
  }
  return {{"seed", plan.seed},
          {"training_documents", plan.training_documents},
          {"held_out", plan.held_out},
          {"documents", plan.documents},
          {"every", plan.every},
          {"batch", plan.batch},
          {"sweeps", plan.sweeps},
          {"alpha", plan.alpha},
          {"eta", plan.eta},
          {"decay_start", plan.decay_start},
          {"decay_power", plan.decay_power},
          {"runs", plan.runs},
          {"topics", plan.topics},
          {"grids", std::move(grids)}};
}

LdaStudySettings plan_from(const Json& json) {
  LdaStudySettings plan{.seed = json.at("seed"),
                        .training_documents = json.at("training_documents"),
                        .held_out = json.at("held_out"),
                        .documents = json.at("documents"),
                        .every = json.at("every"),
                        .batch = json.at("batch"),
                        .sweeps = json.at("sweeps"),
                        .alpha = json.at("alpha"),
                        .eta = json.at("eta"),
                        .decay_start = json.at("decay_start"),
                        .decay_power = json.at("decay_power"),
                        .runs = json.at("runs"),
                        .topics = json.at("topics"),
                        .grids = {}};
  for (const Json& grid : json.at("grids")) {
    plan.grids.push_back({grid.at("method"), grid.at("topics"), grid.at("steps"),
                          grid.at("first_weight"), grid.at("floor")});
  }
  return plan;
}

Json corpus_json(const LdaCorpusFacts& corpus) {
  return {{"fingerprint", corpus.fingerprint},
          {"documents", corpus.documents},
          {"tokens", corpus.tokens},
          {"words", corpus.words},
          {"training_documents", corpus.training_documents},
          {"documents_seen", corpus.documents_seen}};
}

LdaCorpusFacts corpus_from(const Json& json) {
  return {json.at("fingerprint"), json.at("documents"),          json.at("tokens"),
          json.at("words"),       json.at("training_documents"), json.at("documents_seen")};
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double number_from(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

Json curve_json(const LdaCurve& curve) {
  Json points = Json::array();
  for (const LdaPoint& p : curve.points) {
    points.push_back({{"documents", p.documents},
                      {"seconds", p.seconds},
                      {"perplexity", number_json(p.perplexity)},
                      {"perplexity_average", number_json(p.average)}});
  }
  return {{"method", curve.key.method},       {"topics", curve.key.topics},
          {"step_size", curve.key.step_size}, {"seed", curve.key.seed},
          {"trouble", curve.trouble},         {"points", std::move(points)}};
}

LdaCurve curve_from(const Json& json) {
  LdaCurve curve{{json.at("method"), json.at("topics"), json.at("step_size"), json.at("seed")},
                 {},
                 json.at("trouble")};
  for (const Json& point : json.at("points")) {
    curve.points.push_back({point.at("documents"), point.at("seconds"),
                            number_from(point.at("perplexity")),
                            number_from(point.at("perplexity_average"))});
  }
  return curve;
}

template <class Study, class F>
void for_lists(Study& study, F f) {
  f("grid", study.grid);
  f("best", study.best);
}

/// Looks come every `every` documents, to the end unless there was trouble.
bool is_whole(const LdaCurve& curve, const LdaStudy& study) {
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    if (curve.points[i].documents != (i + 1) * study.plan.every) {
      return false;
    }
  }
  return !curve.trouble.empty() ||
         curve.points.size() * study.plan.every == study.corpus.documents_seen;
}

}  // namespace

void write_study(const std::filesystem::path& path, const LdaStudy& study) {
  Json json{{study_kind_key, lda_kind},      {"command", study.command},
            {"plan", plan_json(study.plan)}, {"corpus", corpus_json(study.corpus)},
            {"seconds", study.seconds},      {"threads", study.threads}};
  for_lists(study, [&](const char* name, const std::vector<LdaCurve>& curves) {
    json[name] = curves_json(curves, curve_json);
  });
  write_atomically(path, json.dump(1) + "\n");
}

LdaStudy read_lda_study(const std::filesystem::path& path) {
  LdaStudy study;
  read_study_json(path, lda_kind, [&](const Json& json) {
    study.plan = plan_from(json.at("plan"));
    study.corpus = corpus_from(json.at("corpus"));
    study.command = json.at("command");
    study.seconds = json.at("seconds");
    study.threads = json.at("threads");
    const auto whole = [&](const LdaCurve& curve) { return is_whole(curve, study); };
    for_lists(study, [&](const char* name, std::vector<LdaCurve>& curves) {
      read_curves(json, name, path, curve_from, whole, curves);
    });
  });
  return study;
}

LdaStudy read_study(const std::filesystem::path& path, const LdaStudy& expected) {
  LdaStudy study = read_lda_study(path);
  require_same_plan(path, plan_json(study.plan), plan_json(expected.plan));
  if (study.corpus != expected.corpus) {
    fail(Fault::data, path.string(), "belongs to a study of another corpus",
         "give the corpus of the first run, or another folder");
  }
  return study;
}

std::string curves_csv(const LdaStudy& study) {
  std::string text =
      "set,method,topics,step_size,seed,docs,core_seconds,perplexity,perplexity_average\n";
  for_lists(study, [&](const char* set, const std::vector<LdaCurve>& curves) {
    for (const LdaCurve& c : curves) {
      for (const LdaPoint& p : c.points) {
        text += fmt::format("{},{},{},{},{},{},{:.6g},{:.8g},{:.8g}\n", set, c.key.method,
                            c.key.topics, c.key.step_size, c.key.seed, p.documents, p.seconds,
                            p.perplexity, p.average);
      }
    }
  });
  return text;
}

}  // namespace tain
