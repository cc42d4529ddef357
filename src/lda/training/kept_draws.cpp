#include "lda/training/kept_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/checksum.hpp"
#include "core/draft.hpp"
#include "lda/engine/exchange/topic_groups.hpp"
#include "lda/model/topic_draws.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t usual_bytes = 256'000'000, most_usual = 10;

std::uint64_t checksum_of(std::span<const float> values) {
  Checksum checksum;
  checksum.add(std::as_bytes(values));
  return checksum.value();
}

}  // namespace

std::uint64_t usual_kept_draws(std::uint32_t topics, std::uint32_t words) {
  return std::min(most_usual, usual_bytes / (sizeof(float) * topics * std::uint64_t{words}));
}

std::uint64_t kept_draws_bytes(std::uint64_t count, std::uint32_t topics, std::uint32_t words) {
  return count * topics * words * sizeof(float);
}

KeptDraws::KeptDraws(std::uint32_t topics, const Sharding& sharding, const KeptDrawsPlan& plan)
    : topics_(topics), words_(sharding.all_words()), sharding_(sharding), plan_(plan) {}

std::uint64_t KeptDraws::block(std::uint64_t documents) const {
  return documents <= plan_.first ? 0 : (documents - plan_.first) / plan_.every;
}

bool KeptDraws::due(std::uint64_t documents) const {
  return plan_.count > 1 &&
         block(documents) > (slots_.empty() ? 0 : block(slots_.back().documents));
}

std::uint64_t KeptDraws::free_position() const {
  std::uint64_t position = 0;
  while (std::ranges::find(slots_, position, &Slot::position) != slots_.end()) {
    ++position;
  }
  return position;
}

std::span<float> KeptDraws::values(std::uint64_t position) {
  const std::size_t cells = std::size_t{topics_} * words_;
  TAIN_EXPECTS(position < plan_.count, "one position more than are kept");
  return {reinterpret_cast<float*>(file_.bytes().data()) + position * cells, cells};
}

void KeptDraws::require_place() {
  if (!sharding_.comm().is_root()) {
    return;
  }
  if (file_.bytes().empty()) {
    if (!slots_.empty()) {
      refuse(path_, "are missing");
    }
    file_ = MappedFile::anonymous(kept_draws_bytes(plan_.count, topics_, words_));
  }
}

void KeptDraws::refuse(const fs::path& file, std::string_view problem) const {
  fail(Fault::data, file.empty() ? std::string("draws of topics") : file.string(),
       fmt::format("the {} draws of topics that were kept so far {}", slots_.size(), problem),
       Phrase("put the file back, or go on without draws by ", Field{"keep_draws", "0"}));
}

void KeptDraws::keep(std::uint64_t documents, const TopicWeights& topics,
                     std::span<const double> shares, Threads& threads) {
  TAIN_EXPECTS(due(documents), "a draw that is due");
  TAIN_EXPECTS(!thinned_ || path_.empty(), "a checkpoint after draws went");
  require_place();
  Slot slot{documents, free_position(), 0, {shares.begin(), shares.end()}};
  write(topics, slot.position, threads);
  if (sharding_.comm().is_root()) {
    slot.checksum = checksum_of(values(slot.position));
  }
  slots_.push_back(std::move(slot));
  while (slots_.size() >= plan_.count) {
    thin();
  }
}

/// Topics to their rows, each divided by its sum.
void KeptDraws::write(const TopicWeights& topics, std::uint64_t position, Threads& threads) {
  TopicGroups groups({topics.weights(), {}, sharding_}, topics_);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::span<const float> group = groups.read(g, &threads);
    const std::vector<double> sums = topic_sums(group, words_, groups.first_topic(g));
    threads.for_each(sums.size(), [&](std::size_t i) {
      const std::span<const float> from = group.subspan(i * words_, words_);
      float* const to = values(position).data() + (groups.first_topic(g) + i) * words_;
      for (std::size_t w = 0; w < from.size(); ++w) {
        to[w] = static_cast<float>(static_cast<double>(from[w]) / sums[i]);
      }
    });
  }
}

void KeptDraws::thin() {
  plan_.every *= 2;
  std::uint64_t last = 0;
  std::erase_if(slots_, [&](const Slot& slot) {
    const std::uint64_t here = block(slot.documents);
    const bool first_of_block = here > last;
    last = std::max(last, here);
    return !first_of_block;
  });
  thinned_ = true;
}

std::vector<std::uint64_t> KeptDraws::documents() const {
  std::vector<std::uint64_t> documents;
  for (const Slot& slot : slots_) {
    documents.push_back(slot.documents);
  }
  return documents;
}

void KeptDraws::use_file(const fs::path& file) {
  if (path_ == file) {
    return;
  }
  if (!sharding_.comm().is_root()) {
    path_ = file;
    return;
  }
  std::error_code error;
  const std::uint64_t bytes = kept_draws_bytes(plan_.count, topics_, words_);
  if (slots_.empty()) {
    file_ = MappedFile::create(file, bytes);
  } else if (fs::exists(file, error)) {
    file_ = MappedFile::open_read_write(file);
    if (file_.bytes().size() != bytes || !sound()) {
      refuse(file, "are damaged");
    }
  } else {
    take_from_model(file, bytes);
  }
  path_ = file;
}

bool KeptDraws::sound() {
  return std::ranges::all_of(slots_, [&](const Slot& slot) {
    return checksum_of(values(slot.position)) == slot.checksum;
  });
}

void KeptDraws::take_from_model(const fs::path& file, std::uint64_t bytes) {
  const fs::path folder = file.parent_path();
  std::error_code error;
  if (!fs::exists(folder / "manifest.json", error)) {
    refuse(file, "are missing");
  }
  const std::optional<TopicDraws> model = TopicDraws::open(folder);
  const std::vector<std::uint64_t> wanted = documents();
  if (!model || model->topics() != topics_ || model->words() != words_ ||
      model->draws() < wanted.size() ||
      !std::ranges::equal(model->documents().first(wanted.size()), wanted)) {
    refuse(file, "are missing");
  }
  // Under its name once it is whole: a kill in between leaves none.
  Draft draft(file);
  file_ = MappedFile::create(draft.path(), bytes);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    std::ranges::copy(model->values(i), values(slots_[i].position).begin());
  }
  if (!sound()) {
    refuse(file, "are missing, and those of the model are others");
  }
  file_.sync();
  draft.move_to_place();
}

void KeptDraws::sync() { file_.sync(); }

void KeptDraws::archive(Archive& a) {
  std::uint64_t size = slots_.size();
  a.field(plan_.every);
  a.field(size);
  if (a.reading()) {
    slots_.clear();
  }
  for (std::uint64_t i = 0; i < size; ++i) {  // one by one: a wrong count runs into the end
    Slot& slot = a.reading() ? slots_.emplace_back() : slots_[i];
    a.field(slot.documents);
    a.field(slot.position);
    a.field(slot.checksum);
    a.field(slot.shares);
  }
  if (plan_.count == 0) {
    slots_.clear();  // a run that keeps none goes on from one that did
  }
  a.require(are_possible(), "has draws of topics that have no place");
}

bool KeptDraws::are_possible() const {
  constexpr std::uint64_t longest = std::uint64_t{1} << 62;  // twice that is still a number
  std::vector<std::uint64_t> positions;
  for (const Slot& slot : slots_) {
    const auto is_share = [](double share) { return share >= 0 && share <= 1.001; };
    const bool shares = (slot.shares.empty() || slot.shares.size() == topics_) &&
                        slot.shares.size() == slots_.front().shares.size() &&
                        std::ranges::all_of(slot.shares, is_share);
    if (!shares || slot.position >= plan_.count || slot.documents > longest) {
      return false;
    }
    positions.push_back(slot.position);
  }
  std::ranges::sort(positions);
  return plan_.every >= 1 && plan_.every <= longest &&
         (slots_.empty() || slots_.size() < plan_.count) &&
         std::ranges::adjacent_find(positions) == positions.end() &&
         std::ranges::adjacent_find(slots_, std::greater_equal<>(), &Slot::documents) ==
             slots_.end();
}

DrawFiles KeptDraws::with_last(std::uint64_t documents, const TopicWeights& topics,
                               std::span<const double> shares, Threads& threads) {
  DrawFiles files;
  if (plan_.count == 0) {
    return files;
  }
  require_place();
  const bool is_root = sharding_.comm().is_root();
  const auto add = [&](const Slot& slot) {
    if (!is_root) {
      return;
    }
    files.draws.push_back(values(slot.position));
    files.documents.push_back(slot.documents);
    files.shares.insert(files.shares.end(), slot.shares.begin(), slot.shares.end());
  };
  std::ranges::for_each(slots_, add);
  if (slots_.empty() || slots_.back().documents < documents) {
    const Slot last{documents, free_position(), 0, {shares.begin(), shares.end()}};
    write(topics, last.position, threads);
    add(last);
  }
  return files;
}

void KeptDraws::discard_file() {
  file_.require_whole();  // while it was copied into the model
  file_ = MappedFile();
  if (!path_.empty() && sharding_.comm().is_root()) {
    std::error_code ignored;  // it is in nobody's way
    fs::remove(path_, ignored);
  }
  path_.clear();
}

}  // namespace tain
