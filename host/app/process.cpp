// SPDX-License-Identifier: Apache-2.0
#include "app/process.hpp"

#include "ground/shown.hpp"

#include <cerrno>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>

namespace skillhost::app {

int exitCodeAfterPrinting(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const std::string why = errno != 0 ? ": " + std::generic_category().message(errno) : "";
  printShown(stderr, "skillhost: not all of standard output could be written%s\n", why.c_str());
  return code != 0 ? code : 1;
}

std::string reasonOf(const std::exception &why) {
  if (dynamic_cast<const std::bad_alloc *>(&why) != nullptr) return "there is not enough memory";
  const auto *const system = dynamic_cast<const std::system_error *>(&why);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again &&
      system->code().message() == why.what())
    return "no thread can be started: there is not enough memory, or there are too many threads";
  return why.what();
}

} // namespace skillhost::app
