// SPDX-License-Identifier: Apache-2.0
// What scans have found, by the digest of the file, so that each file is looked into once: also one
// whose scan crashed, until it changes.
#pragma once

#include "plugin/plugin_scan.hpp"

#include <optional>
#include <string>

namespace skillhost {

// Several hosts may share the folder. Any thread.
class ScanCache {
public:
  // Made when it is not there, for the user alone. Empty, or another's folder: nothing is kept.
  ScanCache(std::string folder, std::string version);

  std::optional<PluginScan> find(const std::string &digest) const;
  // A refusal is not kept: its cause may lie outside the file.
  void keep(const std::string &digest, const PluginScan &scan) const;

private:
  std::string nameFor(const std::string &digest) const;
  std::string folder_; // empty: none
  std::string version_;
};

} // namespace skillhost
