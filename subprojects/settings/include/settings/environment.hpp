// SPDX-License-Identifier: Apache-2.0
// The environment that a configuration is read in. It is a value, so that tests can make one up.
#pragma once

#include <map>
#include <string>

namespace skillhost::settings {

struct Environment {
  std::map<std::string, std::string> variables;
  std::string workingDirectory; // absolute
  // True if a path may name a pipe or a device, which may never deliver anything or never end.
  // False if the path comes from a file that somebody else wrote.
  bool readsPipes = true;

  // Returns the value; empty if the variable is unset. An empty variable counts as unset, and so do
  // HOME and XDG_…_HOME if they contain no absolute path.
  std::string variable(const std::string &name) const;
};

} // namespace skillhost::settings
