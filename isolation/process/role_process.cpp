// SPDX-License-Identifier: Apache-2.0
#include "process/role_process.hpp"

#include "plugin_calls/library.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace skillhost::process {

Status checkRunner(const std::string &program) {
  if (Status owned = checkOwnership(program); !owned) return owned;
  if (::access(program.c_str(), X_OK) != 0)
    return {Fault::Denied,
            program + ": it cannot be executed: " + std::generic_category().message(errno)};
  return Done{};
}

Result<ChildProcess> startRole(const std::string &program, const std::vector<std::string> &role,
                               int output, const std::vector<int> &inherited) {
  if (const Status owned = checkOwnership(program); !owned) {
    Failure why = owned.failure();
    if (why.fault == Fault::NotFound)
      why.message += ": a plugin in a process of its own needs this program, which is installed "
                     "together with skillhost";
    return why;
  }
  Program started{{program}, {-1, output, output}, {}};
  started.environment = Program::Environment::WithoutSecrets;
  started.words.insert(started.words.end(), role.begin(), role.end());
  started.descriptors.insert(started.descriptors.end(), inherited.begin(), inherited.end());
  return ChildProcess::start(started);
}

} // namespace skillhost::process
