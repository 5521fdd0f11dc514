// SPDX-License-Identifier: Apache-2.0
#include "plugin/confine_plugin.hpp"

#include "process/confinement.hpp"

#include <filesystem>
#include <utility>

namespace skillhost {

process::Confinement process::confinementOf(const PluginProcess &process) {
  Confinement wanted;
  wanted.mayRead = process.mayRead;
  for (std::string &path : pathsIn(process.config)) wanted.mayRead.push_back(std::move(path));
  wanted.mayRead.push_back(std::filesystem::path(process.file).parent_path().string());
  wanted.mayWrite = process.cacheDirectory;
  wanted.memoryBytes = process.memoryBytes;
  wanted.fileBytes = process.fileBytes;
  wanted.network = process.network;
  wanted.parent = process.host;
  return wanted;
}

PluginConfinement confinePlugin(const PluginProcess &process) {
  process::Confined confined = process::confine(process::confinementOf(process));
  return {confined.complete, std::move(confined.text), std::move(confined.refusal)};
}

} // namespace skillhost
