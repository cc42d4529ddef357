// How a run is to be done: one value for everybody who asks for one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/named_kind.hpp"
#include "tain/core/next.hpp"
#include "tain/core/numbers.hpp"
#include "tain/kernels/tuning.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

class Fields;

/// Found in warm-up, a number, a schedule, or what Theorem 4 says.
class StepSize {
 public:
  StepSize() = default;
  StepSize(double constant)  // NOLINT(google-explicit-constructor): a number is one
      : schedule_(Schedule{.a = constant}) {}
  StepSize(double a, double b, double c) : schedule_(Schedule{a, b, c}) {}
  StepSize(Schedule schedule) : schedule_(schedule) {}  // NOLINT(google-explicit-constructor)
  static StepSize theory();

  bool by_theory() const { return by_theory_; }
  /// Given as numbers?
  explicit operator bool() const { return schedule_.has_value(); }
  const Schedule& operator*() const { return *schedule_; }
  const Schedule* operator->() const { return &*schedule_; }

 private:
  std::optional<Schedule> schedule_;
  bool by_theory_ = false;
};

/// automatic: diagonal for exact kernels, none for mld.
enum class Precondition { automatic, none, diagonal };
/// Unadjusted kernels: stop the run, or stay where the chain was.
enum class OnNonFinite { fail, reject };

struct Progress {
  std::uint64_t step = 0, total_steps = 0;  ///< warm-up and thinned-out steps included
  std::uint64_t draws = 0;                  ///< complete draws per chain
  bool warming_up = true;
  std::uint64_t divergences = 0;  ///< after warm-up, all chains
  double step_size = 0;
  double acceptance = 0;  ///< mean over chains and steps since the last report
};

/// Told about ten times a second, or every step if steps are slow, between steps: all draws that
/// are complete are in their place. Over ranks those of all ranks are told the same at the same
/// time, and the run stops where any of them says so.
using ProgressFunction = std::function<Next(const Progress&)>;

struct SamplePlan {
  // What shapes the draws: kept with them, and compared when a run is resumed.
  std::string kernel = "auto";  ///< hmc, or smld where there are batches
  std::uint64_t seed = 1;
  std::uint32_t chains = 4;
  std::uint64_t warmup = 1000, draws = 1000;
  std::optional<std::uint64_t> thin = {};  ///< steps per draw; none: automatic_thin
  StepSize step_size = {};
  std::optional<double> target_acceptance = {};  ///< none: the kernel's own
  std::optional<double> trajectory_length = {};  ///< hmc; none: adapted (ChEES)
  Precondition precondition = Precondition::automatic;
  OnNonFinite on_non_finite = OnNonFinite::fail;
  Batching batch = {};                   ///< smld, sgrld, sgrhmc, scir
  std::uint64_t control_variates = 0;    ///< smld: steps between anchors; 0: none
  std::optional<double> smoothing = {};  ///< myula: lambda; none: twice the step size
  /// Primal point all chains start at; none: dispersed around the target's hint.
  Numbers start = {};
  DualForm dual_form = DualForm::automatic;
  std::string isa = "auto";             ///< pins the instruction set of the process
  std::vector<std::string> names = {};  ///< of coordinates; empty: those of set or target

  // How it is done.
  std::size_t threads = 0;                   ///< 0: all cores
  std::optional<std::uint64_t> memory = {};  ///< bytes; none: 80 % of the machine
  bool check_gradient = true;                ///< of a target of one's own, before the run
  std::filesystem::path output = {};         ///< draws, with checkpoints beside them
  std::filesystem::path report = {};         ///< page about the run
  bool resume = false;                       ///< goes on with the stopped run of the output
  bool overwrite = false;                    ///< output and report; discards a stopped run
  std::uint64_t checkpoint_every = 0;        ///< draws; 0: by time alone
  double checkpoint_seconds = 30;
  ProgressFunction progress = {};                   ///< may stop the run
  std::function<void(std::string_view)> note = {};  ///< what was decided or done, a line each
  std::string command = {};  ///< as one would write it again; for manifest and page

  /// Those that shape the draws, in the order in which files keep them.
  void describe(Fields& fields);
  /// The others, but for functions and the command.
  void describe_manner(Fields& fields);
};

/// With "auto" as what it means. Throws Error (config) naming the field.
SamplePlan resolved(SamplePlan plan);
void validate(const SamplePlan& plan);

/// What SamplePlan::kernel can be, but for auto.
std::vector<NamedKind> list_kernels();

}  // namespace tain
