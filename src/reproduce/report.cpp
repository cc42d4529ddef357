// One page about draws, topic models and studies.
#include "tain/reproduce/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/apart.hpp"
#include "core/file.hpp"
#include "reproduce/lda_file.hpp"
#include "reproduce/lda_page.hpp"
#include "reproduce/study_file.hpp"
#include "reproduce/study_folder.hpp"
#include "reproduce/synthetic_page.hpp"
#include "tain/lda/model.hpp"
#include "tain/sampling/run.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

/// What can stand on a page, by what lies at a path.
enum class Part { draws, model, study };

Part part_at(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    return Part::draws;
  }
  if (fs::exists(StudyFolder{path}.data(), ignored)) {
    return Part::study;
  }
  return Part::model;  // opening it says what is wrong
}

/// A chapter, and its result in one line.
struct Reported {
  Chapter chapter;
  std::string headline;
};

Reported report_draws(const std::vector<fs::path>& files, const ReportPlan& plan) {
  const Run run = read_run(files, plan.threads);
  for (const std::string& note : run.record().notes) {
    if (plan.note) {
      plan.note(note);
    }
  }
  return {run.chapter(), run.verdict().headline};
}

Reported report_study(const fs::path& folder) {
  const fs::path file = StudyFolder{folder}.data();
  Chapter chapter;
  if (study_kind(file) == synthetic_kind) {
    const SyntheticStudy study = read_synthetic_study(file);
    chapter = synthetic_chapter(study, find_in(study));
  } else {
    const LdaStudy study = read_lda_study(file);
    chapter = lda_chapter(study, find_in(study));
  }
  return {chapter, chapter.title};
}

Reported report_model(const fs::path& folder, const ReportPlan& plan) {
  const Chapter chapter = Model::open(folder).chapter(
      {.threads = plan.threads, .progress = plan.progress, .note = plan.note});
  return {chapter, chapter.title};
}

/// One per part in the order given; all files of draws are the chains of one run.
std::vector<Reported> report_parts(const std::vector<fs::path>& parts, const ReportPlan& plan) {
  std::vector<fs::path> draws;
  std::ranges::copy_if(parts, std::back_inserter(draws),
                       [](const fs::path& path) { return part_at(path) == Part::draws; });
  std::vector<Reported> reported;
  for (const fs::path& path : parts) {
    const Part part = part_at(path);
    if (part == Part::study) {
      reported.push_back(report_study(path));
    } else if (part == Part::model) {
      reported.push_back(report_model(path, plan));
    } else if (path == draws.front()) {
      reported.push_back(report_draws(draws, plan));
    }
  }
  return reported;
}

/// Remarks of the user's own: an item per line, under the headings "# ..." among them.
struct Notes {
  std::string heading;
  std::vector<std::string> items;
};

std::vector<Notes> read_notes(const fs::path& file) {
  std::vector<Notes> notes;
  std::istringstream lines(file.empty() ? std::string() : read_file(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      notes.push_back({line.substr(2), {}});
    } else if (!line.empty()) {
      if (notes.empty()) {
        notes.push_back({"Notes", {}});
      }
      notes.back().items.push_back(line);
    }
  }
  return notes;
}

std::string page_text(const std::vector<Reported>& reported, const ReportPlan& plan) {
  const std::vector<Notes> notes = read_notes(plan.notes);
  const auto fill_notes = [&](Page& page) {
    for (const auto& [heading, items] : notes) {
      page.section(heading);
      page.list(items);
    }
  };
  const Chapter& first = reported.front().chapter;
  const bool alone = reported.size() == 1;
  Chapter cover{plan.title.value_or(alone ? first.title : "Report"),
                plan.lead.value_or(alone ? first.lead
                                         : fmt::format("{} reports on one page.", reported.size())),
                fill_notes};
  if (alone) {
    cover.fill = [&](Page& page) {
      fill_notes(page);
      first.fill(page);
    };
    return page_of(cover);
  }
  std::vector<Chapter> chapters;
  std::ranges::transform(reported, std::back_inserter(chapters), &Reported::chapter);
  return page_of(cover, chapters);
}

}  // namespace

std::vector<std::string> report(const std::vector<fs::path>& parts, const fs::path& page,
                                const ReportPlan& plan) {
  if (parts.empty()) {
    fail(Fault::usage, "report", "nothing to report on is given",
         "give draws (FILE.nc, FILE.npy, FILE.csv...), models or studies");
  }
  const NamedPath output{Field{"output"}, page};
  std::vector<NamedPath> inputs{{Field{"notes"}, plan.notes}};
  for (const fs::path& part : parts) {
    inputs.push_back({part.string(), part});
  }
  require_apart({&output, 1}, inputs);
  require_creatable(Field{"output"}, page, plan.overwrite ? Overwrite::yes : Overwrite::no);
  const std::vector<Reported> reported = report_parts(parts, plan);
  write_atomically(page, page_text(reported, plan));
  std::vector<std::string> headlines;
  std::ranges::transform(reported, std::back_inserter(headlines), &Reported::headline);
  return headlines;
}

}  // namespace tain
