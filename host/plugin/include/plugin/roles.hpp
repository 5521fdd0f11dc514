// SPDX-License-Identifier: Apache-2.0
// The program's other roles: a process of its own for a plugin. Started by a host, not by people.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace skillhost {

// The exit code when the arguments name such a role (plugin-runner, plugin-scan), else nothing.
std::optional<int> playPluginRole(const std::vector<std::string> &arguments);

// The last call of a process that had plugins: `code`, to be returned from main(), unless exit()
// would destroy what a lost thread still uses, or run what a plugin of others has registered. Then
// it ends the process with that code.
int endAfterPlugins(int code);

} // namespace skillhost
