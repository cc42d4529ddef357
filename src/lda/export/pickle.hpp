// Python objects as a pickle (protocol 2): what gensim's files need, nothing more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tain {

/// A program for Python's unpickler, opcode by opcode (Python's pickletools lists them).
class Pickle {
 public:
  Pickle() : bytes_("\x80\x02") {}

  /// An instance of a class made without its constructor; attributes follow, then end_object().
  void begin_object(std::string_view module, std::string_view name);
  void end_object() { bytes_ += "ub"; }
  void begin_dictionary() { bytes_ += "}("; }
  void end_dictionary() { bytes_ += 'u'; }
  void begin_list() { bytes_ += "]("; }
  void end_list() { bytes_ += 'e'; }

  /// A class or function by its name.
  void global(std::string_view module, std::string_view name);
  /// What a function gives for one number.
  void call(std::string_view module, std::string_view name, std::uint64_t argument);
  void text(std::string_view utf8);
  void number(std::uint64_t value);
  void number(double value);
  void no() { bytes_ += '\x89'; }
  void none() { bytes_ += 'N'; }

  /// The bytes; ends the pickle.
  std::string finish() { return bytes_ + '.'; }

 private:
  std::string bytes_;
};

}  // namespace tain
