// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost add`, `remove`, `update` and `list`: their description and their
// values.
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
  std::string file;               // absolute path of the kept configuration; need not exist
  std::vector<std::string> words; // what to add (one), remove or update (none: all)
  std::string workingDirectory;   // absolute base of relative paths
  std::string home;               // replaces "~"; may be empty
  std::string name;               // of the new source; empty: derived
  std::string plugin;             // of the new source; empty: derived
  std::string tokenVariable;      // name of an environment variable; empty: none
  bool hidden = false;            // the new source searches folders that begin with a dot
  bool triesSource = true;        // false: --no-check, the new source is added without trying it
  bool json = false;
};

std::vector<CommandDescription> ownSourcesDescriptions();

// Reads the command's own arguments. The configuration is read later, if its file exists.
Result<OwnSourcesInvocation> ownSourcesInvocation(const ParsedArguments &arguments,
                                                  const Surroundings &surroundings);

} // namespace skillhost::app
