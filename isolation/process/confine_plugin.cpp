// SPDX-License-Identifier: Apache-2.0
#include "process/confinement.hpp"

#include <filesystem>
#include <utility>

namespace skillhost::process {

Confinement confinementOf(const PluginProcess &process) {
  Confinement wanted;
  wanted.mayRead = process.mayRead;
  for (std::string &path : absolutePathsIn(process.config))
    wanted.mayRead.push_back(std::move(path));
  wanted.mayRead.push_back(std::filesystem::path(process.file).parent_path().string());
  wanted.mayWrite = process.cacheDirectory;
  wanted.memoryBytes = process.memoryBytes;
  wanted.fileBytes = process.fileBytes;
  wanted.network = process.network;
  wanted.parent = process.host;
  return wanted;
}

} // namespace skillhost::process
