#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <vector>

#include "cli/program.hpp"
#include "cli/ranks.hpp"
#include "cli/spelling.hpp"
#include "cli/terminal.hpp"
#include "core/descriptor.hpp"
#include "core/failpoint.hpp"
#include "tain/core/error.hpp"

int main(int argc, char** argv) {
  try {
    tain::cli::begin_ranks();
    tain::cli::install_signal_handlers();
    tain::require_failpoint_variables();
    const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return tain::cli::end_ranks(tain::cli::run_program(arguments));
  } catch (const tain::Error& error) {
    return tain::cli::give_up(tain::cli::flag_message(error), error.fault());
  } catch (const std::filesystem::filesystem_error& error) {
    return tain::cli::give_up(tain::error_of(error).what(), tain::error_of(error).fault());
  } catch (const std::bad_alloc&) {
    return tain::cli::give_up(
        "memory: the machine has no more; ask for less: fewer chains or draws, or a "
        "smaller --memory",
        tain::Fault::internal);
  } catch (const std::exception& error) {
    return tain::cli::give_up(fmt::format("internal error: {}; please report it", error.what()),
                              tain::Fault::internal);
  }
}
