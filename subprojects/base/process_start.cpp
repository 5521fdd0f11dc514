// SPDX-License-Identifier: Apache-2.0
#include "base/process_start.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>

namespace skillhost {

void prepareProcess() {
  // Fixed thresholds, because glibc would raise them to twice the largest block that was ever
  // freed.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20); // bytes
  ::mallopt(M_TRIM_THRESHOLD, 2 << 20);
  // The signal would end the process at a file that may not grow (ulimit -f). When it is ignored,
  // write() fails as on a full disk. ChildProcess and runProgram() restore the default for
  // programs.
  std::signal(SIGXFSZ, SIG_IGN);
  // Otherwise the next opened file would get the number of a closed standard descriptor, and
  // receive its output.
  int descriptor = ::open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
  if (descriptor >= 0) ::close(descriptor);
}

} // namespace skillhost
