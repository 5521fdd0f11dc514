// SPDX-License-Identifier: Apache-2.0
// The program's other roles: a process of its own for a plugin. Started by a host, not by people.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace skillhost {

// The exit code when the arguments name such a role (plugin-runner, plugin-scan), else nothing.
std::optional<int> playPluginRole(const std::vector<std::string> &arguments);

} // namespace skillhost
