// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost add`, `remove`, `update` and `list`: their description, and what they
// say.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

struct OwnSourcesInvocation {
  enum class Action : std::uint8_t { Add, Remove, Update, List };
  Action action = Action::List;
  std::string file;               // absolute, of the configuration that is kept; need not be there
  std::vector<std::string> words; // what to add (one), remove or update (none: all)
  std::string workingDirectory;   // absolute; where relative paths begin
  std::string home;               // what "~" is; may be empty
  std::string name;               // of the new source; empty: made of what is added
  std::string plugin;             // of the new source; empty: by what is added
  std::string tokenVariable;      // of the environment; empty: none
  bool hidden = false;            // of the new source: look into folders that begin with a dot
  bool lookAtIt = true;           // before it is written down
  bool json = false;
};

std::vector<CommandDescription> ownSourcesDescriptions();

// Reads the command's own arguments. The configuration is read later, if its file exists.
Result<OwnSourcesInvocation> ownSourcesInvocation(const ParsedArguments &given,
                                                  const Surroundings &surroundings);

} // namespace skillhost::app
