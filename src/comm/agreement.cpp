#include "comm/agreement.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "comm/all_gather.hpp"
#include "core/machine.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

struct Machine {
  std::array<char, 64> name{};
  double memory = machine_memory();
};

}  // namespace

double rank_memory(Comm& comm) {
  Machine own;
  ::gethostname(own.name.data(), own.name.size() - 1);
  const std::vector<Machine> machines = all_gather(comm, own);
  double least = own.memory;
  for (const Machine& machine : machines) {
    const auto sharers = std::ranges::count(machines, machine.name, &Machine::name);
    least = std::min(least, machine.memory / static_cast<double>(sharers));
  }
  return least;
}

void require_same_on_ranks(Comm& comm, std::uint64_t checksum, std::string_view what,
                           std::string_view remedy) {
  const std::vector<std::uint64_t> all = all_gather(comm, checksum);
  const auto other = std::ranges::find_if(all, [&](std::uint64_t sum) { return sum != all[0]; });
  if (other != all.end()) {
    fail(Fault::config, fmt::format("rank {}", other - all.begin()),
         fmt::format("its {} differs from that of rank 0", what), remedy);
  }
}

void require_shared(Comm& comm, const std::filesystem::path& folder) {
  comm.barrier();
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    fail(Fault::cannot_create, folder.string(),
         fmt::format("rank {} does not see the folder that rank 0 made", comm.rank()),
         "give a folder on a file system that all machines share");
  }
}

}  // namespace tain
