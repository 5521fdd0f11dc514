// SPDX-License-Identifier: Apache-2.0
// Keeps the results of scans by the digest of the scanned file, so that each file is scanned once;
// a file whose scan crashed is scanned again when it changes. Each result is a file of mode 0600.
#pragma once

#include "plugin_calls/plugin_scan.hpp"

#include <optional>
#include <string>

namespace skillhost {

// Several hosts may share the folder. Any thread.
class ScanCache {
public:
  // Creates the folder for this user alone if it is missing. If it is empty or another user's,
  // nothing is kept.
  ScanCache(std::string folder, std::string version);

  std::optional<PluginScan> find(const std::string &digest) const;
  // A refusal is not kept: its cause may lie outside the file.
  void keep(const std::string &digest, const PluginScan &scan) const;

private:
  std::string nameFor(const std::string &digest) const;
  std::string folder_; // empty: nothing is kept
  std::string version_;
};

} // namespace skillhost
