#include "lda/inference/proportions_file.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/npy.hpp"
#include "lda/model/output_file.hpp"
#include "tain/core/error.hpp"
#include "text/byte_sink.hpp"

namespace tain {
namespace {

class NpyFile final : public ProportionsFile {
 public:
  NpyFile(const std::filesystem::path& path, const std::string& name, std::uint32_t topics)
      : file_(path, name), topics_(topics) {
    file_.write(head());
  }
  void add(const InferredDocument& document) override {
    file_.write(std::as_bytes(document.topics));
    ++documents_;
  }
  /// Now that the number of documents is known. Heads of any two lengths are equally long: 128
  /// bytes.
  void finish() override {
    file_.write_at(0, head());
    file_.finish();
  }

 private:
  std::string head() const {
    const std::array<std::uint64_t, 2> shape{documents_, topics_};
    std::string text = npy_header("<f4", shape);
    TAIN_EXPECTS(text.size() == 128, "a head of one length");
    return text;
  }

  OutputFile file_;
  std::uint64_t topics_, documents_ = 0;
};

class TextFile : public ProportionsFile {
 public:
  explicit TextFile(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}
  void finish() override { sink_->finish(); }

 protected:
  /// Appends the numbers, `separator` between them.
  void append(std::span<const float> numbers, char separator) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (k > 0) {
        line_ += separator;
      }
      fmt::format_to(std::back_inserter(line_), "{}", numbers[k]);
    }
  }
  void put() {
    line_ += '\n';
    sink_->write(line_);
    line_.clear();
  }

  std::string line_;

 private:
  std::unique_ptr<ByteSink> sink_;
};

class CsvFile final : public TextFile {
 public:
  CsvFile(std::unique_ptr<ByteSink> sink, std::uint32_t topics) : TextFile(std::move(sink)) {
    line_ = "document";
    for (std::uint32_t k = 0; k < topics; ++k) {
      line_ += fmt::format(",topic {}", k + 1);
    }
    put();
  }
  void add(const InferredDocument& document) override {
    if (document.name.empty()) {
      line_ += std::to_string(document.number);
    } else {
      append_cell(document.name);
    }
    line_ += ',';
    append(document.topics, ',');
    put();
  }

 private:
  void append_cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      line_ += text;
      return;
    }
    line_ += '"';
    for (const char c : text) {
      line_.append(c == '"' ? 2 : 1, c);
    }
    line_ += '"';
  }
};

class JsonLines final : public TextFile {
 public:
  using TextFile::TextFile;
  void add(const InferredDocument& document) override {
    using Json = nlohmann::json;
    const Json name = document.name.empty() ? Json(document.number) : Json(document.name);
    line_ += fmt::format("{{\"document\":{},\"topics\":[",
                         name.dump(-1, ' ', false, Json::error_handler_t::replace));
    append(document.topics, ',');
    line_ += fmt::format("],\"tokens\":{},\"unknown\":{}}}", document.tokens, document.unknown);
    put();
  }
};

}  // namespace

std::optional<ProportionsFormat> proportions_format(const std::filesystem::path& path) {
  const std::string ending = without_compression_ending(path).extension().string();
  if (ending == ".npy") {
    return ProportionsFormat::npy;
  }
  if (ending == ".csv") {
    return ProportionsFormat::csv;
  }
  if (ending == ".jsonl" || ending == ".ndjson") {
    return ProportionsFormat::jsonl;
  }
  return std::nullopt;
}

std::unique_ptr<ProportionsFile> write_proportions(const std::filesystem::path& path,
                                                   const std::string& name,
                                                   ProportionsFormat format, std::uint32_t topics) {
  const Compression compression = compression_from_ending(name);
  if (format == ProportionsFormat::npy) {
    if (path == "-" || compression != Compression::none) {
      fail(Fault::config, name, "npy needs a file of its own, not compressed",
           "end its name in .npy, or take csv or jsonl");
    }
    return std::make_unique<NpyFile>(path, name, topics);
  }
  std::unique_ptr<ByteSink> sink =
      open_sink(path, compression, path == "-" ? "standard output" : name);
  if (format == ProportionsFormat::csv) {
    return std::make_unique<CsvFile>(std::move(sink), topics);
  }
  return std::make_unique<JsonLines>(std::move(sink));
}

}  // namespace tain
