#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "program.hpp"
#include "tain/core/error.hpp"
#include "terminal.hpp"

namespace {

int complain(std::string_view message, tain::Fault fault) {
  tain::cli::Talk(tain::cli::Talk::Volume::normal).say(message);
  return static_cast<int>(fault);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tain::cli::install_signal_handlers();
    const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return tain::cli::run_program(arguments);
  } catch (const tain::Error& error) {
    return complain(error.what(), error.fault());
  } catch (const std::bad_alloc&) {
    return complain(
        "memory: the machine has no more; ask for less: fewer chains or draws, or a "
        "smaller --memory",
        tain::Fault::internal);
  } catch (const std::exception& error) {
    return complain(fmt::format("internal error: {}; please report it", error.what()),
                    tain::Fault::internal);
  }
}
