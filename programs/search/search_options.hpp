// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost search`, their description and their values.
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
  bool explain = false;  // for each hit
  std::string questions; // for --evaluate: an absolute path
  // For --against: another configuration, which says how to search. It is kept whole for messages.
  std::optional<Configuration> other;
  std::string otherFile; // absolute
};

CommandDescription searchDescription();

// Reads the command's own arguments. The configuration is read later.
Result<SearchInvocation> searchInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

// For --evaluate: replaces the sources of `read` by the given folders, and reads the configuration
// to compare with.
Status takeEvaluation(const ParsedArguments &given, const Surroundings &surroundings,
                      LoadedConfiguration &read, SearchInvocation &search);

} // namespace skillhost::app
