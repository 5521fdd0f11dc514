// SPDX-License-Identifier: Apache-2.0
#include "app/process.hpp"

#include "ground/shown.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>

namespace skillhost::app {

void prepareProcess() {
  // glibc keeps twice the largest block that was ever freed.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20); // bytes
  ::mallopt(M_TRIM_THRESHOLD, 2 << 20);
  // Told as a full disk is, and not the end of the process (ulimit -f). Programs that are started
  // get the default back.
  std::signal(SIGXFSZ, SIG_IGN);
  // What is closed would be given to the next thing opened, and be written to.
  int descriptor = ::open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
  if (descriptor >= 0) ::close(descriptor);
}

int withAllPrinted(int code) {
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
