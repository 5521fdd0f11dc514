// SPDX-License-Identifier: Apache-2.0
// Command line > environment > file > defaults, put together into one Configuration.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skillhost::app {

// One option of the command line that sets a key.
struct GivenOption {
  std::string origin; // as messages name it: "--expose"
  std::string key;    // "expose"
  std::vector<std::string> values;
  bool asVariable = false; // written as in an environment variable: a whole list in one text
};

struct Given {
  std::optional<std::string> file; // --config; none: SKILLHOST_CONFIG, then the user's own file
  bool noFile = false;             // --no-config
  std::vector<GivenOption> options;
  bool resolveReferences = true; // false: what env: and ${...} name in configs need not be there
  // False for who changes the list of sources: a rule may name one that is added only now.
  bool checkNames = true;
  // For the sources that come from skills_dirs; unset: the plugin's own defaults.
  bool hidden = false;
  std::string watch;
};

struct ReadConfiguration {
  Configuration configuration;
  std::string file;                  // that was read; empty: none
  std::vector<std::string> warnings; // one line each, to be logged once the log has started
  std::vector<std::string> notices;  // the same of what is as it should be
};

// The file that would be read if it were there, absolute; empty when nobody could say which.
std::string configurationFile(const Given &given, const Surroundings &surroundings);

// Reads everything. The failure lists every problem, one a line, each with file, line and column or
// the name of the variable or option, and what to write. Paths come out absolute. Throws nothing
// but std::bad_alloc.
Result<ReadConfiguration> readConfiguration(const Given &given, const Surroundings &surroundings);

} // namespace skillhost::app
