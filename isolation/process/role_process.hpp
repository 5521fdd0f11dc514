// SPDX-License-Identifier: Apache-2.0
// Starts a process of skillhost-runner. It ends with the thread that started it.
#pragma once

#include "ground/child_process.hpp"
#include "ground/result.hpp"

#include <string>
#include <vector>

namespace skillhost::process {

// Succeeds if startRole() may run this program: it exists, can be executed, and other users cannot
// write it.
Status checkRunner(const std::string &program);

// Runs `program role...` with nothing on descriptor 0, `output` on 1 and 2, and `lent` from
// descriptor 3 on. The process only sees variables of the environment whose names suggest no
// secret. Refuses a program that other users can write.
Result<ChildProcess> startRole(const std::string &program, const std::vector<std::string> &role,
                               int output, const std::vector<int> &lent);

} // namespace skillhost::process
