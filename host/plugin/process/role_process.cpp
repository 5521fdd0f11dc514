// SPDX-License-Identifier: Apache-2.0
#include "process/role_process.hpp"

#include <unistd.h>

namespace skillhost::process {

Result<ChildProcess> startRole(const std::string &program, const std::vector<std::string> &role,
                               const std::vector<int> &lent) {
  Program started{{program}, {-1, STDERR_FILENO, STDERR_FILENO}, {}};
  started.environment = Program::Environment::WithoutSecrets;
  started.words.insert(started.words.end(), role.begin(), role.end());
  started.descriptors.insert(started.descriptors.end(), lent.begin(), lent.end());
  return ChildProcess::start(started);
}

} // namespace skillhost::process
