// SPDX-License-Identifier: Apache-2.0
#include "app/surroundings.hpp"

#include <filesystem>
#include <stdexcept>
#include <string_view>

#include <sys/auxv.h>
#include <unistd.h>

namespace skillhost::app {

Surroundings Surroundings::ofThisProcess() {
  Surroundings found;
  for (char **entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      found.variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  std::error_code gone;
  found.workingDirectory = std::filesystem::current_path(gone).string();
  if (gone)
    throw std::runtime_error("the working directory is gone or may not be read: change to a folder "
                             "that is there (cd)");
  std::error_code unknown;
  found.executable = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  // Without /proc, the path that the kernel received is used.
  const auto *const started =
      reinterpret_cast<const char *>(::getauxval(AT_EXECFN)); // NOLINT: as getauxval(3) has it
  if (found.executable.empty() && started != nullptr)
    found.executable = std::filesystem::canonical(started, unknown).string();
  if (found.executable.empty()) found.executable = "skillhost";
  return found;
}

} // namespace skillhost::app
