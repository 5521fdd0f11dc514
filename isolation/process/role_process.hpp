// SPDX-License-Identifier: Apache-2.0
// A process of skillhost-runner. It ends with the thread that started it.
#pragma once

#include "ground/child_process.hpp"
#include "ground/result.hpp"

#include <string>
#include <vector>

namespace skillhost::process {

// Succeeds when startRole() may run this program: it is there, can be executed, and others may not
// write it.
Status checkRunner(const std::string &program);

// Refuses a program that others may write. Runs `program role...` with nothing on descriptor 0,
// `output` on 1 and 2, and `lent` from descriptor 3 on; of the environment it sees what names no
// secret.
Result<ChildProcess> startRole(const std::string &program, const std::vector<std::string> &role,
                               int output, const std::vector<int> &lent);

} // namespace skillhost::process
