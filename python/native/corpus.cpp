#include "corpus.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "fields.hpp"
#include "report/text.hpp"
#include "tain/text/import.hpp"
#include "tain/text/synthesize.hpp"
#include "text/document_names.hpp"
#include "unlocked.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

void import_source(const std::string& source, const std::string& folder, const py::dict& keywords,
                   bool force, py::object progress) {
  ImportPlan plan;
  plan.threads = fill(plan, keywords);
  plan.overwrite = force;
  ProgressWatch watch(std::move(progress));
  plan.progress = watch.work();
  const Unlocked unlocked;
  in_words_of(folder_words, [&] { import_corpus(source, folder, plan); });
}

void synthesize(const std::string& folder, const py::dict& keywords, bool force,
                py::object progress) {
  SyntheticPlan plan;
  plan.threads = fill(plan, keywords);
  plan.overwrite = force;
  ProgressWatch watch(std::move(progress));
  plan.progress = watch.work();
  const Unlocked unlocked;
  in_words_of(folder_words, [&] { synthesize_corpus(folder, plan); });
}

void save(const HeldCorpus& held, const std::string& folder, std::vector<std::string> names,
          std::vector<std::string> titles, bool force, py::object progress) {
  ProgressWatch watch(std::move(progress));
  const Unlocked unlocked;
  in_words_of(folder_words, [&] {
    held.corpus.save(folder, {.names = std::move(names),
                              .titles = std::move(titles),
                              .overwrite = force,
                              .progress = watch.work()});
  });
}

/// Where the words of numbered formats are, or None.
std::optional<std::string> export_to(const HeldCorpus& held, const std::string& file,
                                     const py::dict& keywords, bool force, py::object progress) {
  CorpusExportPlan plan;
  KeywordFields fields(keywords);
  plan.describe(fields);
  fields.require_all_known();
  plan.overwrite = force;
  ProgressWatch watch(std::move(progress));
  plan.progress = watch.work();
  const Unlocked unlocked;
  const ExportedCorpus exported =
      in_words_of({{"output", "file"}}, [&] { return held.corpus.export_to(file, plan); });
  return exported.vocabulary ? std::optional(exported.vocabulary->string()) : std::nullopt;
}

std::string summary(const HeldCorpus& held, std::size_t words, std::size_t threads) {
  const Unlocked unlocked;
  return held.corpus.summary(threads).text(words);
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
    const Unlocked unlocked;
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
        const Unlocked unlocked;
        return Corpus::over({.ids = unsigned_view(matrix.indices),
                             .counts = unsigned_view(matrix.counts),
                             .offsets = unsigned_view(matrix.offsets),
                             .vocabulary = std::move(vocabulary)});
      }()) {}

HeldCorpus::HeldCorpus(const std::string& folder)
    : corpus([&folder] {
        const Unlocked unlocked;
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
      .def("save", save)
      .def("export_to", export_to)
      .def("summary", summary);
  m.def("import_corpus", import_source);
  m.def("synthesize_corpus", synthesize);
}

}  // namespace tain::python
