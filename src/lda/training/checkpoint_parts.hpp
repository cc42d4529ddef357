// The files of a checkpoint: one, or a part of every rank beside it.
//
// Layout: `checkpoint.bin` has what all ranks have in common, and a list of parts with the words
//   and the documents of each. If one rank wrote it, its part follows in the same file; else part r
//   is in `checkpoint.<save>.<r>.part`, where saves are counted from 1 on through all resumptions.
// Laws: parts are there before the file that lists them is, under names that the one before does
//   not list: whatever ends a process, the file and all that it lists are of one state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/archive.hpp"
#include "lda/engine/exchange/sharding.hpp"

namespace tain {

struct CheckpointPart {
  Range words, places;
  ArchiveFile file;  ///< nothing if it is in the checkpoint itself
};

void archive_parts(Archive& a, std::vector<CheckpointPart>& parts);
/// Throws Error (data) unless the words and the places of the parts are all there are, in order.
void require_all(std::span<const CheckpointPart> parts, std::uint64_t words, std::uint64_t places,
                 const std::filesystem::path& checkpoint);

std::filesystem::path part_file(const std::filesystem::path& checkpoint, std::uint64_t save,
                                std::uint64_t rank);
/// The last save of which there are parts; 0: there are none.
std::uint64_t last_save(const std::filesystem::path& checkpoint);
/// Reads a part. Throws Error (data) if it is missing, damaged, or another than the one listed.
Archive open_part(const std::filesystem::path& file, const CheckpointPart& listed);
/// Removes parts of other saves, and what is left of some that were never finished.
void remove_other_parts(const std::filesystem::path& checkpoint, std::uint64_t save,
                        std::uint64_t ranks);

}  // namespace tain
