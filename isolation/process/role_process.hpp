// SPDX-License-Identifier: Apache-2.0
// Starts skillhost-runner in one of its roles. A role is a command of that program: `plugin-runner
// HOST` runs a plugin, `plugin-scan FILE HOST [copy]` inspects a plugin file; HOST is the process
// number of the host. The process is killed when the thread that started it ends.
#pragma once

#include "ground/child_process.hpp"
#include "ground/result.hpp"

#include <string>
#include <vector>

namespace skillhost::process {

// Succeeds if startRole() may run this program: it exists, can be executed, and no other user can
// change it.
Status checkRunner(const std::string &program);

// Runs `program role...`. The process inherits these descriptors: /dev/null as 0, `output` as 1 and
// 2, and those in `inherited` as 3, 4 and so on. It does not inherit environment variables whose
// names suggest a secret. Fails if another user can change the program.
Result<ChildProcess> startRole(const std::string &program, const std::vector<std::string> &role,
                               int output, const std::vector<int> &inherited);

} // namespace skillhost::process
