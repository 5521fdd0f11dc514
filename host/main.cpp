// SPDX-License-Identifier: Apache-2.0
#include "app/run.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>

int main(int count, char **arguments) {
  // One large message must not make the process large for good: glibc keeps
  // twice the largest block that was ever freed.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20); // bytes
  ::mallopt(M_TRIM_THRESHOLD, 2 << 20);
  // A file that may not grow further (ulimit -f) is an error of write(), which is told as a full
  // disk is, and not the end of the process. Programs that are started get the default back.
  std::signal(SIGXFSZ, SIG_IGN);
  // A standard descriptor that is closed would be given to the next thing opened, and be written
  // to.
  int descriptor = ::open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
  if (descriptor >= 0) ::close(descriptor);
  return skillhost::app::run({arguments + 1, arguments + count});
}
