// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost search`: their description, and what they say.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"
#include "configuration/read_configuration.hpp"

#include <optional>
#include <string>

namespace skillhost::app {

struct SearchInvocation {
  std::string query;     // empty: --evaluate
  bool explain = false;  // each hit
  std::string questions; // for --evaluate: a file, absolute
  // For --against: of another configuration, how it searches; the whole of it, for messages.
  std::optional<Configuration> other;
  std::string otherFile; // absolute
};

CommandDescription searchDescription();

// Reads the command's own arguments. The configuration is read later.
Result<SearchInvocation> searchInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

// For --evaluate: puts the folders it was given in the place of the sources of `read`, and reads
// the configuration to compare with.
Status takeEvaluation(const ParsedArguments &given, const Surroundings &surroundings,
                      ReadConfiguration &read, SearchInvocation &search);

} // namespace skillhost::app
