// SPDX-License-Identifier: Apache-2.0
#include "problem.hpp"

#include <cerrno>
#include <system_error>

namespace skillhost::store {

void failOfSystem(const std::string &path, const std::string &what) {
  const int error = errno;
  const Problem problem =
      error == EACCES || error == EPERM || error == EROFS ? Problem::Denied : Problem::Failed;
  throw StoreError(problem, path + ": " + what + ": " + std::generic_category().message(error));
}

} // namespace skillhost::store
