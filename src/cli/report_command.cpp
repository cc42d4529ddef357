#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/corpus_job.hpp"
#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "cli/study.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "core/file.hpp"
#include "reproduce/lda_file.hpp"
#include "reproduce/lda_page.hpp"
#include "reproduce/study_file.hpp"
#include "reproduce/synthetic_page.hpp"
#include "tain/sampling/run.hpp"

namespace tain::cli {
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

/// A chapter, and its result in one line for the terminal.
struct Reported {
  Chapter chapter;
  std::string headline;
};

Reported report_draws(const std::vector<fs::path>& files, std::size_t threads,
                      const Console& console) {
  const Run run = read_run(files, threads);
  for (const std::string& note : run.record().notes) {
    console.note(note);
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

Reported report_model(const fs::path& folder, const Options& options, const Console& console) {
  JobProgress progress("report", options);
  const Chapter chapter = Model::open(folder).chapter(page_plan(options, progress, console));
  return {chapter, chapter.title};
}

/// One per part in the order given; all files of draws are the chains of one run.
std::vector<Reported> report_parts(const std::vector<fs::path>& paths, const Options& options,
                                   const Console& console) {
  std::vector<fs::path> draws;
  std::ranges::copy_if(paths, std::back_inserter(draws),
                       [](const fs::path& path) { return part_at(path) == Part::draws; });
  std::vector<Reported> reported;
  for (const fs::path& path : paths) {
    const Part part = part_at(path);
    if (part == Part::study) {
      reported.push_back(report_study(path));
    } else if (part == Part::model) {
      reported.push_back(report_model(path, options, console));
    } else if (path == draws.front()) {
      reported.push_back(report_draws(draws, options.threads(), console));
    }
  }
  return reported;
}

/// Remarks of the user's own: an item per line, under the headings "# ..." among them.
struct Notes {
  std::string heading;
  std::vector<std::string> items;
};

std::vector<Notes> notes_of(const Options& options) {
  std::vector<Notes> notes;
  const std::optional<std::string> file = options.text("notes");
  std::istringstream lines(file ? read_file(*file) : std::string());
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

std::string page_text(const std::vector<Reported>& reported, const Options& options) {
  const std::vector<Notes> notes = notes_of(options);
  const auto fill_notes = [&](Page& page) {
    for (const auto& [heading, items] : notes) {
      page.section(heading);
      page.list(items);
    }
  };
  const Chapter& first = reported.front().chapter;
  const bool alone = reported.size() == 1;
  Chapter cover{options.text("title").value_or(alone ? first.title : "Report"),
                options.text("lead").value_or(
                    alone ? first.lead : fmt::format("{} reports on one page.", reported.size())),
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

int report_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  if (raw.arguments.empty()) {
    fail(Fault::usage, "report", "nothing to report on is given",
         "give draws (FILE.nc, FILE.npy, FILE.csv...), models or studies");
  }
  const fs::path page_file = options.value("output").parts.front();
  require_creatable(Field{"output"}, page_file, overwrite(options));
  const Console console = console_of(options);
  const std::vector<Reported> reported =
      report_parts({raw.arguments.begin(), raw.arguments.end()}, options, console);
  write_atomically(page_file, page_text(reported, options));
  for (const Reported& part : reported) {
    print(part.headline + "\n");
  }
  print(fmt::format("Page: {}\n", page_file.string()));
  return 0;
}

}  // namespace tain::cli
