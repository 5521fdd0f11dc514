// SPDX-License-Identifier: Apache-2.0
#include "processes.hpp"

#include "ground/descriptor.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace running {
namespace fs = std::filesystem;

std::vector<pid_t> runners() {
  std::vector<pid_t> found;
  std::error_code gone; // a thread may end meanwhile
  for (const fs::directory_entry &task : fs::directory_iterator("/proc/self/task", gone)) {
    std::ifstream children(task.path() / "children");
    found.insert(found.end(), std::istream_iterator<pid_t>(children), {});
  }
  std::sort(found.begin(), found.end());
  return found;
}

void killAndWait(pid_t process) {
  const skillhost::Descriptor seen(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  ::kill(process, SIGKILL);
  pollfd ended{seen.number(), POLLIN, 0};
  if (seen) ::poll(&ended, 1, 10'000);
}

std::size_t openDescriptors() {
  std::error_code none;
  const auto all = fs::directory_iterator("/proc/self/fd", none);
  return static_cast<std::size_t>(std::distance(fs::begin(all), fs::end(all)));
}

std::size_t threads() {
  std::error_code none;
  const auto all = fs::directory_iterator("/proc/self/task", none);
  return static_cast<std::size_t>(std::distance(fs::begin(all), fs::end(all)));
}

} // namespace running
