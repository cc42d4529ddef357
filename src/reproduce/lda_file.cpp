#include "tain/reproduce/lda_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "curve_lists.hpp"
#include "tain/core/error.hpp"
#include "tain/core/file.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

Json plan_json(const LdaStudyPlan& plan) {
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

Json corpus_json(const LdaCorpusFacts& corpus) {
  return {{"fingerprint", corpus.fingerprint},
          {"documents", corpus.documents},
          {"tokens", corpus.tokens},
          {"words", corpus.words}};
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
  Json json{{"plan", plan_json(study.plan)},
            {"corpus", corpus_json(study.corpus)},
            {"seconds", study.seconds},
            {"threads", study.threads}};
  for_lists(study, [&](const char* name, const std::vector<LdaCurve>& curves) {
    json[name] = curves_json(curves, curve_json);
  });
  write_atomically(path, json.dump(1) + "\n");
}

LdaStudy read_study(const std::filesystem::path& path, const LdaStudy& expected) {
  LdaStudy study{.plan = expected.plan, .corpus = expected.corpus, .grid = {}, .best = {}};
  read_study_json(path, plan_json(expected.plan), [&](const Json& json) {
    if (json.at("corpus") != corpus_json(expected.corpus)) {
      fail(Fault::data, path.string(), "belongs to a study of another corpus",
           "give the corpus of the first run, or another folder");
    }
    study.seconds = json.at("seconds");
    const auto whole = [&](const LdaCurve& curve) { return is_whole(curve, study); };
    for_lists(study, [&](const char* name, std::vector<LdaCurve>& curves) {
      read_curves(json, name, path, curve_from, whole, curves);
    });
  });
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
