// Ctrl-C while native code runs without the interpreter's lock.
//
// A signal reaches Python only where Python looks: native loops look at every report of progress,
// by interrupted(). Where the user's own function was running, the KeyboardInterrupt is raised in
// it: who calls such functions notes it by note_interrupt(), and the loop sees it at its next look.
#pragma once

#include <string>

namespace tain::python {

/// To be called, holding the lock, before a run: what was noted for an earlier one is forgotten.
void clear_interrupt();
/// Any thread, with or without the lock.
void note_interrupt();
/// Looks for signals; takes the lock. True from the first Ctrl-C on. Another exception of a signal
/// handler is thrown as pybind11::error_already_set.
bool interrupted();
/// While a call waits for input: throws what a handler of signals raises, KeyboardInterrupt too.
void look_while_waiting(const std::string& name);

}  // namespace tain::python
