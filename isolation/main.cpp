// SPDX-License-Identifier: Apache-2.0
// skillhost-runner, which a host starts for each plugin that runs in a process of its own, and to
// look into a plugin file. People do not start it.
#include "process/runner.hpp"
#include "process/scan_here.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace skillhost::process {
namespace {

// The same as the server does for the plugins in its own process.
void prepareRunner() {
  // glibc keeps twice the largest block that was ever freed.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20); // bytes
  ::mallopt(M_TRIM_THRESHOLD, 2 << 20);
  // A file that is too large is told of as a full disk is, and does not end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  // The next file that is opened would get the number of a closed one, and be written to.
  int descriptor = ::open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
  if (descriptor >= 0) ::close(descriptor);
}

int playRole(const std::vector<std::string> &arguments) {
  const auto host = [&](std::size_t at) {
    return at < arguments.size()
               ? static_cast<pid_t>(std::strtol(arguments[at].c_str(), nullptr, 10))
               : 0;
  };
  if (arguments.size() == 2 && arguments[0] == "plugin-runner") return runPlugin(host(1));
  if (arguments.size() >= 2 && arguments.size() <= 4 && arguments[0] == "plugin-scan")
    return scanHere(arguments[1], host(2), arguments.size() == 4);
  std::fputs("skillhost-runner: skillhost starts this program for its plugins; there is nothing to "
             "start by hand\n",
             stderr);
  return 1;
}

} // namespace
} // namespace skillhost::process

int main(int count, char **words) try {
  skillhost::process::prepareRunner();
  return skillhost::process::playRole({words + std::min(count, 1), words + count});
} catch (const std::exception &why) {
  std::fprintf(stderr, "skillhost-runner: %s\n", why.what());
  return 1;
}
