// SPDX-License-Identifier: Apache-2.0
// Arguments → what was given, by the description of the command line.
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
  // By the last name of the option or positional: every value in order; "true" for a flag, and
  // nothing for an optional value that was left out.
  std::map<std::string, std::vector<std::string>> values;

  bool has(const std::string &name) const { return values.contains(name); }
  // The value that counts; empty when there is none.
  std::string last(const std::string &name) const;
};

// With --help or --version among them nothing else is checked. Choices are checked. The failure
// names the argument, and says what was near, or where help is.
Result<ParsedArguments> parseArguments(const CommandDescription &program,
                                       std::span<const std::string> arguments);

// The whole number that was given for `option`; when none was, or it fails, `number` stays as it
// is. Fails unless it is from 1 to `most`, and says so with the unit: "seconds", or nothing.
Status readWholeNumber(const ParsedArguments &given, const char *option, std::string_view unit,
                       std::uint64_t most, std::uint64_t &number);

// "why" and where to read on: for the command that was named.
Failure refusedArguments(const std::vector<std::string> &commands, const std::string &why);

} // namespace skillhost::app
