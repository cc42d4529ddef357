#include "corpus.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "fields.hpp"
#include "report/text.hpp"
#include "tain/text/import.hpp"
#include "text/corpus_writer.hpp"
#include "text/document_names.hpp"
#include "text/synthetic.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

double share_of(std::uint64_t done, std::optional<std::uint64_t> size) {
  return size && *size > 0 ? std::min(1.0, static_cast<double>(done) / static_cast<double>(*size))
                           : 0.0;
}

Overwrite overwrite(bool force) { return force ? Overwrite::yes : Overwrite::no; }

/// The report as JSON text.
std::string import_source(const std::string& source, const std::string& folder,
                          const py::dict& keywords, bool force, py::object progress) {
  ImportPlan plan;
  plan.threads = fill(plan, keywords);
  plan.overwrite = force;
  ProgressWatch watch(std::move(progress));
  plan.progress = watch.work();
  std::string manifest;
  plan.report = [&](const ImportReport& report) { manifest = report.manifest; };
  const py::gil_scoped_release unlocked;
  in_words_of(folder_words, [&] { import_corpus(source, folder, plan); });
  return manifest;
}

std::optional<std::string> synthesize(const std::string& folder, const py::dict& keywords,
                                      bool force, py::object progress) {
  SyntheticPlan plan = SyntheticPlan::usual();
  const std::size_t thread_count = fill(plan, keywords);
  ProgressWatch watch(std::move(progress));
  const py::gil_scoped_release unlocked;
  Threads threads(thread_count);
  const std::optional<SyntheticReport> report = in_words_of(folder_words, [&] {
    return synthesize_corpus(
        plan, folder, overwrite(force), threads, [&](const DocumentProgress& now) {
          return watch.look(share_of(now.documents, now.total), [&] {
            return fmt::format("{}, {} documents", now.phase, grouped(now.documents));
          });
        });
  });
  return report ? std::optional(synthetic_manifest(plan, *report)) : std::nullopt;
}

/// False if Ctrl-C stopped it.
bool write_corpus(const HeldCorpus& held, const std::string& folder,
                  const std::vector<std::string>& names, const std::vector<std::string>& titles,
                  bool force, py::object progress) {
  ProgressWatch watch(std::move(progress));
  const py::gil_scoped_release unlocked;
  const Corpus& corpus = held.corpus;
  CorpusWriter writer = in_words_of(
      folder_words, [&] { return CorpusWriter(folder, corpus.order(), overwrite(force)); });
  const auto text_of = [](const std::vector<std::string>& texts, std::uint64_t d) {
    return texts.empty() ? std::string_view() : std::string_view(texts[d]);
  };
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    const DocumentWords words = corpus.document(d);
    if (corpus.order() == Order::text) {
      writer.add(words.ids, text_of(names, d), text_of(titles, d));
    } else {
      writer.add(words.ids, words.counts, text_of(names, d), text_of(titles, d));
    }
    if (watch.look(share_of(d, corpus.documents()), [] { return std::string("writing"); }) ==
        Next::stop) {
      return false;
    }
  }
  const nlohmann::ordered_json manifest{
      {"source", "memory"}, {"documents", corpus.documents()}, {"tokens", writer.tokens()}};
  writer.finish(corpus.vocabulary(), manifest.dump(2));
  return true;
}

/// Views of the mapped file.
Matrix counted_view(const py::object& self, const Corpus& corpus) {
  const std::uint64_t documents = corpus.documents();
  std::vector<std::int64_t> offsets(documents + 1, 0);
  const std::uint32_t *ids = nullptr, *counts = nullptr;
  for (std::uint64_t d = 0; d < documents; ++d) {
    const DocumentWords words = corpus.document(d);
    if (d == 0) {
      ids = words.ids.data();
      counts = words.counts.data();
    }
    offsets[d + 1] = offsets[d] + static_cast<std::int64_t>(words.ids.size());
  }
  const auto entries = static_cast<std::size_t>(offsets.back());
  // Numbers of words and counts are below 2^31: the same bits, signed or not.
  const auto view = [&](const std::uint32_t* data) {
    return view_array(std::span(reinterpret_cast<const std::int32_t*>(data), entries),
                      {static_cast<py::ssize_t>(entries)}, self);
  };
  return {owned_array(std::move(offsets), {static_cast<py::ssize_t>(documents + 1)}), view(ids),
          view(counts)};
}

/// Tokens in text order, counted.
Matrix counted(const Corpus& corpus) {
  std::vector<std::int64_t> offsets(corpus.documents() + 1, 0);
  std::vector<std::int32_t> ids, counts;
  {
    const py::gil_scoped_release unlocked;
    std::vector<std::uint32_t> tokens;
    for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
      const DocumentWords words = corpus.document(d);
      tokens.assign(words.ids.begin(), words.ids.end());
      std::ranges::sort(tokens);
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i == 0 || tokens[i] != tokens[i - 1]) {
          ids.push_back(static_cast<std::int32_t>(tokens[i]));
          counts.push_back(0);
        }
        ++counts.back();
      }
      offsets[d + 1] = static_cast<std::int64_t>(ids.size());
    }
  }
  const auto entries = static_cast<py::ssize_t>(ids.size());
  const auto rows = static_cast<py::ssize_t>(offsets.size());
  return {owned_array(std::move(offsets), {rows}), owned_array(std::move(ids), {entries}),
          owned_array(std::move(counts), {entries})};
}

py::tuple matrix_of(const py::object& self) {
  const Corpus& corpus = self.cast<const HeldCorpus&>().corpus;
  const Matrix matrix =
      corpus.order() == Order::none ? counted_view(self, corpus) : counted(corpus);
  return py::make_tuple(matrix.offsets, matrix.indices, matrix.counts);
}

/// (ids, counts), or (tokens in text order, None).
py::tuple document_of(const py::object& self, std::uint64_t d) {
  const Corpus& corpus = self.cast<const HeldCorpus&>().corpus;
  if (d >= corpus.documents()) {
    throw py::index_error(fmt::format("there are {} documents", grouped(corpus.documents())));
  }
  const DocumentWords words = corpus.document(d);
  const auto view = [&](std::span<const std::uint32_t> values) -> py::object {
    return view_array(values, {static_cast<py::ssize_t>(values.size())}, self);
  };
  return py::make_tuple(view(words.ids),
                        corpus.order() == Order::none ? view(words.counts) : py::none());
}

/// Names and titles of all documents; none where there are none.
py::object names_of(const HeldCorpus& held) {
  const DocumentNames names = DocumentNames::open(held.corpus);
  if (!names.any()) {
    return py::none();
  }
  py::list ids, titles;
  for (std::uint64_t d = 0; d < held.corpus.documents(); ++d) {
    ids.append(py::str(std::string(names.name(d))));
    titles.append(py::str(std::string(names.title(d))));
  }
  return py::make_tuple(ids, titles);
}

std::vector<std::string> vocabulary_of(const HeldCorpus& held) {
  return {held.corpus.vocabulary().begin(), held.corpus.vocabulary().end()};
}

}  // namespace

std::span<const std::uint32_t> unsigned_view(const Int32Array& array) {
  return {reinterpret_cast<const std::uint32_t*>(array.data()),
          static_cast<std::size_t>(array.size())};
}

std::span<const std::uint64_t> unsigned_view(const Int64Array& array) {
  return {reinterpret_cast<const std::uint64_t*>(array.data()),
          static_cast<std::size_t>(array.size())};
}

HeldCorpus::HeldCorpus(Matrix values, std::vector<std::string> vocabulary)
    : matrix(std::move(values)), corpus([this, &vocabulary] {
        const py::gil_scoped_release unlocked;
        return Corpus::over({.ids = unsigned_view(matrix.indices),
                             .counts = unsigned_view(matrix.counts),
                             .offsets = unsigned_view(matrix.offsets),
                             .vocabulary = std::move(vocabulary)});
      }()) {}

HeldCorpus::HeldCorpus(const std::string& folder)
    : corpus([&folder] {
        const py::gil_scoped_release unlocked;
        return Corpus::open(folder);
      }()) {}

void bind_corpus(py::module_& m) {
  py::class_<HeldCorpus>(m, "Corpus")
      .def_static("open",
                  [](const std::string& folder) { return std::make_unique<HeldCorpus>(folder); })
      .def_static(
          "over",
          [](Int64Array offsets, Int32Array indices, Int32Array counts,
             std::vector<std::string> vocabulary) {
            return std::make_unique<HeldCorpus>(
                Matrix{std::move(offsets), std::move(indices), std::move(counts)},
                std::move(vocabulary));
          },
          py::arg("offsets").noconvert(), py::arg("indices").noconvert(),
          py::arg("counts").noconvert(), py::arg("vocabulary"))
      .def_property_readonly("documents",
                             [](const HeldCorpus& held) { return held.corpus.documents(); })
      .def_property_readonly("words", [](const HeldCorpus& held) { return held.corpus.words(); })
      .def_property_readonly("tokens", [](const HeldCorpus& held) { return held.corpus.tokens(); })
      .def_property_readonly(
          "ordered", [](const HeldCorpus& held) { return held.corpus.order() == Order::text; })
      .def_property_readonly("fingerprint",
                             [](const HeldCorpus& held) { return held.corpus.fingerprint(); })
      .def_property_readonly("folder",
                             [](const HeldCorpus& held) { return held.corpus.folder().string(); })
      .def_property_readonly("vocabulary", vocabulary_of)
      .def_property_readonly("names", names_of)
      .def("matrix", matrix_of)
      .def("document", document_of)
      .def("write", write_corpus);
  m.def("import_corpus", import_source);
  m.def("synthesize_corpus", synthesize);
}

}  // namespace tain::python
