// SPDX-License-Identifier: Apache-2.0
// Combines command line, environment, file and defaults, in this order of precedence, into one
// Configuration.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skillhost::app {

// An option of the command line that sets a key.
struct CommandLineOption {
  std::string origin; // what messages call it: "--expose"
  std::string key;    // "expose"
  std::vector<std::string> values;
  bool isWholeListInOneText = false; // one text holds a whole list, as in an environment variable
};

struct CommandLineSettings {
  std::optional<std::string> file; // --config; none: SKILLHOST_CONFIG, then the user's own file
  bool noFile = false;             // --no-config
  std::vector<CommandLineOption> options;
  bool resolveReferences = true; // false: targets of env: and ${...} in configs need not exist
  // False while the list of sources is being changed, because a rule may name a source that is only
  // added now.
  bool checkNames = true;
  // Options of the sources that come from skills_dirs. If they are unset, the plugin's defaults
  // hold.
  bool hidden = false;
  std::string watch;
};

struct LoadedConfiguration {
  Configuration configuration;
  std::string file;                  // the file that was read; empty: none
  std::vector<std::string> warnings; // one line each, to be logged once the log has started
  std::vector<std::string> notices;  // like `warnings`, but they report nothing wrong
};

// Returns the absolute path of the file that is read if it exists; empty if no path can be
// determined.
std::string configurationFile(const CommandLineSettings &commandLine,
                              const Surroundings &surroundings);

// Reads the whole configuration. The failure lists every problem on a line of its own, each with
// file, line and column or the name of the variable or option, and says what to write. Returned
// paths are absolute. Throws nothing but std::bad_alloc.
Result<LoadedConfiguration> readConfiguration(const CommandLineSettings &commandLine,
                                              const Surroundings &surroundings);

} // namespace skillhost::app
