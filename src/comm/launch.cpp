#include "tain/comm/launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "comm/plug_in.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

using Variables = std::function<const char*(const char*)>;

std::optional<int> number(const Variables& variable, const char* name) {
  const char* text = variable(name);
  const std::string_view digits = text ? text : "";
  int value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

/// The names by which launchers tell a process its rank, and how many there are. Those of MPI are
/// set for the processes of a launch only; a batch script of Slurm has SLURM_NTASKS too, and no
/// step.
struct Names {
  const char* rank;
  std::array<const char*, 3> ranks;
  bool by_mpi;
};
constexpr std::array<Names, 4> launchers{{
    {"OMPI_COMM_WORLD_RANK", {"OMPI_COMM_WORLD_SIZE"}, true},
    {"PMI_RANK", {"PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, true},
    {"PMIX_RANK", {"PMIX_SIZE", "SLURM_STEP_NUM_TASKS"}, true},
    {"SLURM_PROCID", {"SLURM_STEP_NUM_TASKS"}, false},
}};

std::string started_as(const Launch& launch) {
  return launch.ranks == 0 ? fmt::format("started as rank {}", launch.rank)
                           : fmt::format("started as rank {} of {}", launch.rank, launch.ranks);
}

const RankPlugIn* load(const Launch& launch) {
  constexpr std::string_view where = "ranks";
  if (!launch.by_mpi) {
    fail(Fault::config, where,
         fmt::format("{} by srun without MPI, so that the processes cannot meet",
                     started_as(launch)),
         "use srun --mpi=pmix, or set TAIN_MPI=none to run each by itself");
  }
  const std::optional<std::filesystem::path> path = rank_plug_in();
  if (!path) {
    fail(Fault::config, where,
         fmt::format("{}, but libtain_mpi.so is not there", started_as(launch)),
         "install the package tain-mpi, or set TAIN_MPI to the path of that file");
  }
  // For all: what MPI itself loads later looks for MPI's symbols.
  void* library = dlopen(path->c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    fail(Fault::config, where, fmt::format("cannot load {}: {}", path->string(), dlerror()),
         "install the package tain-mpi of the same version on every machine");
  }
  using Show = const RankPlugIn* (*)();
  const auto show = reinterpret_cast<Show>(dlsym(library, "tain_rank_plug_in"));
  if (show == nullptr || show()->version != rank_plug_in_version) {
    fail(Fault::config, where, fmt::format("{} is of another version", path->string()),
         "install tain and tain-mpi of the same version on every machine");
  }
  return show();
}

}  // namespace

std::optional<Launch> launch_of(const Variables& variable) {
  const char* choice = variable("TAIN_MPI");
  if (choice != nullptr && std::string_view(choice) == "none") {
    return std::nullopt;
  }
  for (const Names& names : launchers) {
    const std::optional<int> rank = number(variable, names.rank);
    if (!rank) {
      continue;
    }
    Launch launch{.rank = *rank, .ranks = 0, .by_mpi = names.by_mpi};
    for (const char* name : names.ranks) {
      if (name != nullptr && launch.ranks == 0) {
        launch.ranks = number(variable, name).value_or(0);
      }
    }
    if (launch.ranks == 1 || (launch.ranks == 0 && !launch.by_mpi)) {
      return std::nullopt;
    }
    return launch;
  }
  return std::nullopt;
}

std::optional<Launch> launch_of_process() {
  return launch_of([](const char* name) -> const char* { return std::getenv(name); });
}

std::optional<std::filesystem::path> rank_plug_in() {
  constexpr std::string_view file = "libtain_mpi.so";
  std::error_code problem;
  if (const char* given = std::getenv("TAIN_MPI"); given != nullptr && *given != '\0') {
    return std::filesystem::exists(given, problem) ? std::optional<std::filesystem::path>(given)
                                                   : std::nullopt;
  }
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path() / "lib" / "tain"}) {
    if (std::filesystem::exists(place / file, problem)) {
      return place / file;
    }
  }
  return std::nullopt;
}

JoinedRanks::JoinedRanks(const Launch& launch, void (*waiting)(double seconds))
    : plug_in_(load(launch)), comm_(plug_in_->join(waiting)) {
  if (launch.ranks > 0 && comm_->ranks() != launch.ranks) {
    fail(Fault::config, "ranks",
         fmt::format("{}, but MPI knows of {}", started_as(launch), comm_->ranks()),
         "use the launcher of this machine's OpenMPI: its mpirun, or srun --mpi=pmix");
  }
}

void JoinedRanks::leave() { plug_in_->leave(); }

void JoinedRanks::abort(int code) {
  plug_in_->abort(code);
  std::_Exit(code);
}

}  // namespace tain
