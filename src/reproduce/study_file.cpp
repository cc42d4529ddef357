#include "reproduce/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "reproduce/curve_lists.hpp"
#include "sampling/json_text.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

Json plan_json(const SyntheticStudySettings& plan) {
  return {{"seed", plan.seed},
          {"iterations", plan.iterations},
          {"chains", plan.chains},
          {"grid_chains", plan.grid_chains},
          {"further_chains", plan.further_chains},
          {"mld_steps", plan.mld_steps},
          {"sgrld_steps", plan.sgrld_steps}};
}

SyntheticStudySettings plan_from(const Json& json) {
  return {json.at("seed"),        json.at("iterations"),     json.at("chains"),
          json.at("grid_chains"), json.at("further_chains"), json.at("mld_steps"),
          json.at("sgrld_steps")};
}

Json curve_json(const Curve& curve) {
  Json points = Json::array();
  for (const CurvePoint& p : curve.points) {
    points.push_back({{"iteration", p.iteration},
                      {"seconds", p.seconds},
                      {"distance", p.distance},
                      {"error", p.error}});
  }
  return {{"sampler", curve.key.sampler}, {"coordinates", curve.key.coordinates},
          {"start", curve.key.start},     {"step_size", curve.key.step_size},
          {"chains", curve.key.chains},   {"points", std::move(points)}};
}

Curve curve_from(const Json& json) {
  Curve curve;
  curve.key = {json.at("sampler"), json.at("coordinates"), json.at("start"), json.at("step_size"),
               json.at("chains")};
  for (const Json& point : json.at("points")) {
    curve.points.push_back({point.at("iteration"), point.at("seconds"),
                            point.at("distance").get<std::vector<double>>(),
                            point.at("error").get<std::vector<double>>()});
  }
  return curve;
}

bool is_whole(const Curve& curve) {
  return !curve.points.empty() && std::ranges::all_of(curve.points, [](const CurvePoint& point) {
    return point.distance.size() == marginals_looked_at &&
           point.error.size() == marginals_looked_at;
  });
}

/// Name of a list of curves and the list, for all lists of a study.
template <class Study, class F>
void for_lists(Study& study, F f) {
  f("exact", study.exact);
  f("grid", study.grid);
  f("further", study.further);
  f("best", study.best);
}

}  // namespace

std::string study_kind(const std::filesystem::path& path) {
  try {
    const std::string kind = read_study_file(path).at(study_kind_key);
    if (kind == synthetic_kind || kind == lda_kind) {
      return kind;
    }
  } catch (const Json::exception&) {
    // as below
  }
  fail(Fault::data, path.string(), "is no study",
       "give a folder that 'tain reproduce' has written");
}

void write_study(const std::filesystem::path& path, const SyntheticStudy& study) {
  Json json{{study_kind_key, synthetic_kind}, {"command", study.command},
            {"plan", plan_json(study.plan)},  {"seconds", study.seconds},
            {"threads", study.threads},       {"marginals", Json::array()}};
  for (const Marginal& m : study.marginals) {
    json["marginals"].push_back({{"category", m.category + 1},
                                 {"binning", m.binning},
                                 {"log_edges", m.log_edges},
                                 {"probability", m.probability}});
  }
  for_lists(study, [&](const char* name, const std::vector<Curve>& curves) {
    json[name] = curves_json(curves, curve_json);
  });
  write_atomically(path, json.dump(1) + "\n");
}

SyntheticStudy read_synthetic_study(const std::filesystem::path& path) {
  SyntheticStudy study;
  read_study_json(path, synthetic_kind, [&](const Json& json) {
    study.plan = plan_from(json.at("plan"));
    study.command = json.at("command");
    study.seconds = json.at("seconds");
    study.threads = json.at("threads");
    for_lists(study, [&](const char* name, std::vector<Curve>& curves) {
      read_curves(json, name, path, curve_from, is_whole, curves);
    });
  });
  prepare_synthetic(study);
  return study;
}

SyntheticStudy read_study(const std::filesystem::path& path, const SyntheticStudySettings& plan) {
  SyntheticStudy study = read_synthetic_study(path);
  require_same_plan(path, plan_json(study.plan), plan_json(plan));
  return study;
}

std::string curves_csv(const SyntheticStudy& study) {
  std::string text =
      "set,sampler,coordinates,start,step_size,chains,iteration,core_seconds_per_million_chains,"
      "category,binning,total_variation,standard_error\n";
  for_lists(study, [&](const char* set, const std::vector<Curve>& curves) {
    for (const Curve& c : curves) {
      for (const CurvePoint& p : c.points) {
        for (std::size_t m = 0; m < study.marginals.size(); ++m) {
          text += fmt::format("{},{},{},{},{},{},{},{:.6g},{},{},{:.8g},{:.3g}\n", set,
                              c.key.sampler, c.key.coordinates, c.key.start, c.key.step_size,
                              c.key.chains, p.iteration, p.seconds, study.marginals[m].category + 1,
                              study.marginals[m].binning, p.distance[m], p.error[m]);
        }
      }
    }
  });
  return text;
}

}  // namespace tain
