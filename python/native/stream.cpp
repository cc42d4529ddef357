// Training on documents as they come.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "corpus.hpp"
#include "fields.hpp"
#include "lda/training/kept_draws.hpp"
#include "lda/training/train_plan.hpp"
#include "lda_record.hpp"
#include "report/text.hpp"
#include "topic_arrays.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

StreamPlan plan_of(const py::dict& keywords, std::uint64_t total_documents) {
  return in_words_of(estimator_words, [&] {
    TrainPlan plan;
    fill(plan, keywords);
    return stream_plan(plan, total_documents);
  });
}

/// False if Ctrl-C stopped it.
bool add(StreamTraining& stream, const HeldCorpus& held, std::size_t thread_count,
         py::object progress) {
  ProgressWatch watch(std::move(progress));
  const py::gil_scoped_release unlocked;
  Threads threads(thread_count);
  const auto all = static_cast<double>(held.corpus.documents());
  return stream.add(held.corpus, threads, [&](std::uint64_t documents) {
    return watch.look(static_cast<double>(documents) / all,
                      [&] { return fmt::format("training, {} documents", grouped(documents)); });
  });
}

/// (topics, alpha, shares, dual): as if the stream ended here.
py::tuple publish(const StreamTraining& stream, std::size_t thread_count) {
  std::optional<py::gil_scoped_release> unlocked(std::in_place);
  Threads threads(thread_count);
  const StreamTopics found = stream.topics(threads);
  const std::uint32_t topics = found.topics.topics();
  std::vector<float> dual = dual_rows(found.topics.weights(), topics);
  unlocked.reset();
  const auto rows = static_cast<py::ssize_t>(topics);
  return py::make_tuple(
      topic_array(found.topics.weights(), topics),
      owned_array(std::vector<float>(stream.alpha().begin(), stream.alpha().end()), {rows}),
      owned_array(found.shares(), {rows}),
      owned_array(std::move(dual), {rows, static_cast<py::ssize_t>(stream.words())}));
}

/// Draws x topics x words. `count`: none: as many as a training keeps.
py::array_t<float> draws(const StreamTraining& stream, std::optional<std::uint32_t> count,
                         std::size_t thread_count) {
  const std::uint32_t topics = stream.plan().topics, words = stream.words();
  const std::uint32_t wanted =
      count.value_or(static_cast<std::uint32_t>(usual_kept_draws(topics, words)));
  py::array_t<float> result({static_cast<py::ssize_t>(wanted), static_cast<py::ssize_t>(topics),
                             static_cast<py::ssize_t>(words)});
  float* place = result.mutable_data();
  const py::gil_scoped_release unlocked;
  Threads threads(thread_count);
  const StreamTopics published = stream.topics(threads);
  for (std::uint32_t number = 0; number < wanted; ++number) {
    const TopicWeights draw = draw_topics(published, stream.plan().seed, number, threads);
    write_topic_rows(draw.weights(), topics, std::span(place, std::size_t{topics} * words));
    place += std::size_t{topics} * words;
  }
  return result;
}

}  // namespace

void bind_stream(py::module_& m) {
  py::class_<StreamTraining>(m, "StreamTraining")
      .def(py::init([](std::uint32_t words, const py::dict& keywords, std::uint64_t total) {
             return std::make_unique<StreamTraining>(words, plan_of(keywords, total));
           }),
           py::arg("words"), py::arg("keywords"), py::arg("total_documents"))
      .def("add", add, py::arg("corpus"), py::arg("threads"), py::arg("progress"))
      .def("publish", publish, py::arg("threads"))
      .def("draws", draws, py::arg("count"), py::arg("threads"))
      .def_property_readonly("documents", &StreamTraining::documents)
      .def_property_readonly("steps", &StreamTraining::steps)
      .def_property_readonly("words", &StreamTraining::words)
      .def_property_readonly("method",
                             [](const StreamTraining& stream) { return stream.plan().method; })
      .def_property_readonly("eta", [](const StreamTraining& stream) { return stream.plan().eta; })
      .def_property_readonly("seed",
                             [](const StreamTraining& stream) { return stream.plan().seed; })
      .def(py::pickle([](const StreamTraining& stream) { return py::bytes(stream.save()); },
                      [](const py::bytes& state) {
                        return std::make_unique<StreamTraining>(
                            StreamTraining::restore(std::string_view(state)));
                      }));
}

}  // namespace tain::python
