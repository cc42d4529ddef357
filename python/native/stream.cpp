// Training on documents as they come.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <atomic>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/sizes.hpp"
#include "corpus.hpp"
#include "fields.hpp"
#include "lda_record.hpp"
#include "tain/lda/train.hpp"
#include "unlocked.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// A stream, and the model that it would give, made when it is first asked for.
struct HeldStream {
  explicit HeldStream(TopicStream made) : stream(std::move(made)) {}

  TopicStream stream;
  std::optional<Model> model = {};
  std::atomic<bool> at_work = false;
};

/// The only one that works on a stream; with the interpreter's lock nobody may wait for another.
class OnlyOne {
 public:
  explicit OnlyOne(HeldStream& held) : held_(held) {
    if (held.at_work.exchange(true)) {
      fail(Fault::config, "stream", "is at work in another thread", "give each its own");
    }
  }
  ~OnlyOne() { held_.at_work = false; }
  OnlyOne(const OnlyOne&) = delete;
  OnlyOne& operator=(const OnlyOne&) = delete;

 private:
  HeldStream& held_;
};

std::unique_ptr<HeldStream> open_stream(const HeldCorpus& first, const py::dict& keywords,
                                        std::uint64_t total_documents, const std::string& command) {
  return in_words_of(estimator_words, [&] {
    TrainPlan plan;
    plan.threads = fill(plan, keywords);
    plan.command = command;
    const std::span<const std::string> words = first.corpus.vocabulary();
    return std::make_unique<HeldStream>(
        TopicStream(std::vector<std::string>(words.begin(), words.end()), plan, total_documents));
  });
}

/// False if Ctrl-C stopped it.
bool add(HeldStream& self, const HeldCorpus& held, py::object progress) {
  const OnlyOne here(self);
  ProgressWatch watch(std::move(progress));
  self.model.reset();
  const Unlocked unlocked;
  const auto all = static_cast<double>(held.corpus.documents());
  return self.stream.add(held.corpus, [&](std::uint64_t documents) {
    return watch.look(static_cast<double>(documents) / all,
                      [&] { return fmt::format("training, {} documents", grouped(documents)); });
  });
}

Model model(HeldStream& self) {
  const OnlyOne here(self);
  const Unlocked unlocked;
  if (!self.model) {
    self.model = self.stream.model();
  }
  return *self.model;
}

}  // namespace

void bind_stream(py::module_& m) {
  py::class_<HeldStream>(m, "TopicStream")
      .def(py::init(&open_stream), py::arg("first"), py::arg("keywords"),
           py::arg("total_documents"), py::arg("command"))
      .def("add", add, py::arg("corpus"), py::arg("progress"))
      .def("model", model)
      .def_property_readonly("documents",
                             [](const HeldStream& self) { return self.stream.documents(); })
      .def_property_readonly("steps", [](const HeldStream& self) { return self.stream.steps(); })
      .def(py::pickle(
          [](HeldStream& self) {
            const OnlyOne here(self);
            return py::bytes(self.stream.save());
          },
          [](const py::bytes& state) {
            return std::make_unique<HeldStream>(TopicStream::restore(std::string_view(state)));
          }));
}

}  // namespace tain::python
