// SPDX-License-Identifier: Apache-2.0
// Keeps the results of scans by the digest of the scanned file, so that no content is scanned
// twice, even if its scan crashed. Each result is a file of mode 0600.
#pragma once

#include "plugin_calls/plugin_scan.hpp"

#include <optional>
#include <string>

namespace skillhost {

// Several hosts may share the folder. Any thread.
class ScanCache {
public:
  // `folder` is the path of the cache folder; with an empty path, nothing is kept. A missing folder
  // is created with mode 0700. If another user owns the folder, or its mode lets others use it, a
  // warning is logged and nothing is kept. `version` is the version of the scanning program:
  // results that another version has stored are not found.
  ScanCache(std::string folder, std::string version);

  std::optional<PluginScan> find(const std::string &digest) const;
  // A refusal is not kept: its cause may lie outside the file.
  void keep(const std::string &digest, const PluginScan &scan) const;

private:
  std::string pathFor(const std::string &digest) const;
  std::string folder_; // empty: nothing is kept
  std::string version_;
};

} // namespace skillhost
