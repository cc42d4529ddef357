// Writes the page and figures of a made-up study into a folder: for other programs to read.
#include <filesystem>

#include "core/file.hpp"
#include "made_up_study.hpp"
#include "reproduce/synthetic_page.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    return 64;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  tain::SyntheticStudy study = tain::made_up_study();
  study.command = "tain reproduce synthetic --output=\"a & b\"";
  const tain::StudyFindings findings = tain::find_in(study);
  for (const auto& [name, text] : tain::synthetic_figures(study, findings)) {
    tain::write_atomically(folder / name, text);
  }
  tain::write_atomically(folder / "index.html",
                         tain::page_of(tain::synthetic_chapter(study, findings)));
}
