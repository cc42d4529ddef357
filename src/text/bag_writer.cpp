#include "text/bag_writer.hpp"

#include <fmt/format.h>

#include <charconv>

#include "tain/core/error.hpp"
#include "text/fields.hpp"
#include "text/readers.hpp"

namespace tain {
namespace {

/// Collects text and passes it on in large pieces.
class Buffer {
 public:
  Buffer(std::ostream& out, std::string name) : out_(out), name_(std::move(name)) {}

  Buffer& operator<<(std::string_view text) {
    bytes_ += text;
    if (bytes_.size() >= size_t{64} << 10) {
      flush();
    }
    return *this;
  }
  Buffer& operator<<(std::uint64_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
  }

  void finish() {
    flush();
    out_.flush();
    require_good();
  }
  const std::string& name() const { return name_; }

 private:
  void flush() {
    out_.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    bytes_.clear();
    require_good();
  }
  void require_good() const {
    if (!out_) {
      fail(Fault::io, name_, "cannot be written", "check that the disk has room");
    }
  }

  std::ostream& out_;
  std::string name_, bytes_;
};

/// Counts what is written and holds it against what was announced.
class CountingWriter : public BagWriter {
 public:
  void write(const Bag& bag) final {
    TAIN_EXPECTS(bag.ids.size() == bag.counts.size(), "one count per id");
    TAIN_EXPECTS(bag.ids.empty() || bag.ids.back() < totals_.vocabulary_size, "ids in range");
    ++documents_;
    entries_ += bag.ids.size();
    write_document(bag);
  }

  void finish() final {
    if (documents_ != totals_.documents || entries_ != totals_.entries) {
      fail(Fault::internal, out_.name(),
           fmt::format("{} documents and {} entries announced, {} and {} written",
                       totals_.documents, totals_.entries, documents_, entries_),
           "please report it");
    }
    out_.finish();
  }

 protected:
  CountingWriter(std::ostream& out, std::string name, const BagTotals& totals)
      : out_(out, std::move(name)), totals_(totals) {}
  virtual void write_document(const Bag& bag) = 0;
  std::uint64_t document() const { return documents_; }
  Buffer& out() { return out_; }

 private:
  Buffer out_;
  BagTotals totals_;
  std::uint64_t documents_ = 0, entries_ = 0;
};

/// uci and mm: they differ in the header alone.
class TripleWriter final : public CountingWriter {
 public:
  TripleWriter(std::ostream& stream, std::string name, const BagTotals& totals,
               std::string_view banner, std::string_view separator)
      : CountingWriter(stream, std::move(name), totals) {
    out() << banner << totals.documents << separator << totals.vocabulary_size << separator
          << totals.entries << "\n";
  }

 private:
  void write_document(const Bag& bag) override {
    for (std::size_t i = 0; i < bag.ids.size(); ++i) {
      out() << document() << " " << std::uint64_t{bag.ids[i]} + 1 << " " << bag.counts[i] << "\n";
    }
  }
};

/// ldac and svmlight: a line of pairs per document.
class PairWriter final : public CountingWriter {
 public:
  enum class First { size, label };
  PairWriter(std::ostream& stream, std::string name, const BagTotals& totals, First first,
             FirstId first_id)
      : CountingWriter(stream, std::move(name), totals),
        first_(first),
        first_id_(static_cast<std::uint32_t>(first_id)) {}

 private:
  void write_document(const Bag& bag) override {
    out() << (first_ == First::size ? std::uint64_t{bag.ids.size()} : 0);
    for (std::size_t i = 0; i < bag.ids.size(); ++i) {
      out() << " " << std::uint64_t{bag.ids[i]} + first_id_ << ":" << bag.counts[i];
    }
    out() << "\n";
  }

  First first_;
  std::uint64_t first_id_;
};

class VowpalWabbitWriter final : public WordBagWriter {
 public:
  VowpalWabbitWriter(std::ostream& stream, std::string name) : out_(stream, std::move(name)) {}

  void write(const WordBag& bag) override {
    TAIN_EXPECTS(bag.words.size() == bag.counts.size(), "one count per word");
    if (!bag.tag.empty()) {
      require_writable(bag.tag);
      out_ << "'" << bag.tag << " ";
    }
    out_ << "|";
    for (std::size_t i = 0; i < bag.words.size(); ++i) {
      require_writable(bag.words[i]);
      out_ << " " << bag.words[i];
      if (bag.counts[i] != 1) {
        out_ << ":" << bag.counts[i];
      }
    }
    out_ << "\n";
  }

  void finish() override { out_.finish(); }

 private:
  void require_writable(std::string_view word) const {
    using namespace std::string_view_literals;
    if (word.empty() || word.find_first_of(" \t\r\n:|\0"sv) != std::string_view::npos) {
      fail(Fault::data, out_.name(), fmt::format("word {} cannot be written", text::quoted(word)),
           "vw has no way to write blanks, ':' and '|'; write another format");
    }
  }

  Buffer out_;
};

}  // namespace

namespace text {

std::unique_ptr<BagWriter> uci_writer(std::ostream& out, std::string name, const BagTotals& totals,
                                      FirstId) {
  return std::make_unique<TripleWriter>(out, std::move(name), totals, "", "\n");
}

std::unique_ptr<BagWriter> ldac_writer(std::ostream& out, std::string name, const BagTotals& totals,
                                       FirstId) {
  return std::make_unique<PairWriter>(out, std::move(name), totals, PairWriter::First::size,
                                      FirstId::zero);
}

// `integer` would be the better word, but gensim reads no other than `real`.
std::unique_ptr<BagWriter> matrix_market_writer(std::ostream& out, std::string name,
                                                const BagTotals& totals, FirstId) {
  return std::make_unique<TripleWriter>(out, std::move(name), totals,
                                        "%%MatrixMarket matrix coordinate real general\n", " ");
}

std::unique_ptr<BagWriter> svmlight_writer(std::ostream& out, std::string name,
                                           const BagTotals& totals, FirstId first_id) {
  return std::make_unique<PairWriter>(out, std::move(name), totals, PairWriter::First::label,
                                      first_id);
}

}  // namespace text

std::unique_ptr<BagWriter> write_bags(Format format, std::ostream& out, std::string name,
                                      const BagTotals& totals, FirstId svmlight_first_id) {
  const FormatRow& row = format_row(format);
  if (!row.write_bags) {
    fail(Fault::internal, name, fmt::format("{} holds no numbered words", row.name),
         "please report it");
  }
  return row.write_bags(out, std::move(name), totals, svmlight_first_id);
}

std::unique_ptr<WordBagWriter> write_word_bags(std::ostream& out, std::string name) {
  return std::make_unique<VowpalWabbitWriter>(out, std::move(name));
}

}  // namespace tain
