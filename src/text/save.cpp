// A corpus as a folder: Corpus::save.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "core/sizes.hpp"
#include "tain/core/error.hpp"
#include "text/corpus_writer.hpp"
#include "text/document_names.hpp"

namespace tain {
namespace {

void require_all(std::string_view option, const std::vector<std::string>& texts,
                 const Corpus& corpus) {
  if (!texts.empty() && texts.size() != corpus.documents()) {
    fail(Fault::config, Field{std::string(option)},
         fmt::format("has {} entries for {} documents", grouped(texts.size()),
                     grouped(corpus.documents())),
         "give one per document");
  }
}

}  // namespace

void Corpus::save(const std::filesystem::path& place, const CorpusSavePlan& plan) const {
  require_all("names", plan.names, *this);
  require_all("titles", plan.titles, *this);
  std::error_code ignored;
  if (!folder_.empty() && std::filesystem::equivalent(folder_, place, ignored)) {
    fail(Fault::cannot_create, output_place(Field{"output"}, place), "is the corpus itself",
         "choose another folder");
  }
  const DocumentNames own = DocumentNames::open(*this);
  CorpusWriter writer(place, order_, plan.overwrite ? Overwrite::yes : Overwrite::no);
  for (std::uint64_t d = 0; d < documents(); ++d) {
    if (plan.progress && plan.progress({"writing", d, d, documents()}) == Next::stop) {
      fail_stopped(place);
    }
    const DocumentWords words = document(d);
    const std::string_view name = plan.names.empty() ? own.name(d) : plan.names[d];
    const std::string_view title = plan.titles.empty() ? own.title(d) : plan.titles[d];
    if (order_ == Order::text) {
      writer.add(words.ids, name, title);
    } else {
      writer.add(words.ids, words.counts, name, title);
    }
  }
  require_whole();
  // Names of files need not be UTF-8; JSON must be.
  using Json = nlohmann::ordered_json;
  const Json manifest{{"source", folder_.empty() ? "memory" : folder_.string()},
                      {"documents", documents()},
                      {"tokens", writer.tokens()}};
  writer.finish(vocabulary_, manifest.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tain
