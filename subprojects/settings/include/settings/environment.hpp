// SPDX-License-Identifier: Apache-2.0
// What of its surroundings a configuration is read by. A value, so that tests can make one up.
#pragma once

#include <map>
#include <string>

namespace skillhost::app {

struct Environment {
  std::map<std::string, std::string> variables;
  std::string workingDirectory; // absolute
  // Whether what is named may be a pipe or a device, which nobody may ever write to or which never
  // ends. Not when a file of somebody else's names it.
  bool readsPipes = true;

  // Empty when unset: an empty variable counts as none, and so do HOME and XDG_…_HOME that are no
  // absolute path.
  std::string variable(const std::string &name) const;
};

} // namespace skillhost::app
