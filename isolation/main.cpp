// SPDX-License-Identifier: Apache-2.0
// The program skillhost-runner. A host starts it for each plugin that runs in a process of its own,
// and to inspect a plugin file. People do not start it.
#include "base/process_start.hpp"
#include "process/runner.hpp"
#include "process/scan_here.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace skillhost::process {
namespace {

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
  skillhost::prepareProcess();
  return skillhost::process::playRole({words + std::min(count, 1), words + count});
} catch (const std::exception &why) {
  std::fprintf(stderr, "skillhost-runner: %s\n", why.what());
  return 1;
}
