// SPDX-License-Identifier: Apache-2.0
// What `skillhost add`, `remove`, `update` and `list` were told.
#pragma once

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
  std::string problems;           // of the configuration, one a line; empty: it could be read
  bool json = false;
};

} // namespace skillhost::app
