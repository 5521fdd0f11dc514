// SPDX-License-Identifier: Apache-2.0
#include "process/role_process.hpp"

namespace skillhost::process {

Result<ChildProcess> startRole(const std::string &program, const std::vector<std::string> &role,
                               int output, const std::vector<int> &lent) {
  Program started{{program}, {-1, output, output}, {}};
  started.environment = Program::Environment::WithoutSecrets;
  started.words.insert(started.words.end(), role.begin(), role.end());
  started.descriptors.insert(started.descriptors.end(), lent.begin(), lent.end());
  return ChildProcess::start(started);
}

} // namespace skillhost::process
