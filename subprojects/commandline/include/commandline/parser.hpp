// SPDX-License-Identifier: Apache-2.0
// Parses arguments by the description of the command line.
#pragma once

#include "commandline/description.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

struct ParsedArguments {
  std::vector<std::string> commands; // "skill", "info"
  // All values in order, by the last name of the option or positional: "true" for a flag, and
  // nothing for an omitted optional value.
  std::map<std::string, std::vector<std::string>> values;

  bool has(const std::string &name) const { return values.contains(name); }
  // Returns the value that counts; empty: none.
  std::string last(const std::string &name) const;
};

// With --help or --version among the arguments, nothing else is checked. Choices are checked, and
// an empty path is refused: it would mean the working directory. A failure names the argument, and
// suggests a similar name or the help.
Result<ParsedArguments> parseArguments(const CommandDescription &program,
                                       std::span<const std::string> arguments);

// Reads the whole number given for `option`. Without one, or on failure, `number` stays as it is.
// The number must be from 1 to `maximum`; the failure says so with the unit, such as "seconds" or
// nothing.
Status readWholeNumber(const ParsedArguments &arguments, const char *option, std::string_view unit,
                       std::uint64_t maximum, std::uint64_t &number);

// Returns "why" and a hint to the help of the named command.
Failure refusedArguments(const std::vector<std::string> &commands, const std::string &why);

} // namespace skillhost::app
