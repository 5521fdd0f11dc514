// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/scan_cache.hpp"

#include "base/log.hpp"
#include "ground/replace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace skillhost {
namespace fs = std::filesystem;

ScanCache::ScanCache(std::string folder, std::string version)
    : folder_(std::move(folder)), version_(std::move(version)) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(fs::path(folder_).parent_path(), error);
  if (::mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    if (!error) error.assign(errno, std::generic_category());
    log::warning("plugin", folder_ + ": cannot be made: " + error.message() +
                               "; the results of scans of plugin files are not kept");
    folder_.clear();
    return;
  }
  struct stat info{};
  if (::lstat(folder_.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) ||
      info.st_uid != ::geteuid() || (info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    log::warning("plugin", folder_ + ": must be a folder that only this user may access (mode "
                                     "0700); the results of scans of plugin files are not kept");
    folder_.clear();
  }
  removeRemains(folder_);
}

std::string ScanCache::pathFor(const std::string &digest) const {
  return folder_ + "/" + digest + "-" + version_ + ".json";
}

std::optional<PluginScan> ScanCache::find(const std::string &digest) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(pathFor(digest), std::ios::binary);
  if (!file) return std::nullopt;
  PluginScan scan = scanFromJson(std::string{std::istreambuf_iterator<char>(file), {}});
  if (!scan.crashed && !scan.refusal.empty()) return std::nullopt; // damaged
  return scan;
}

void ScanCache::keep(const std::string &digest, const PluginScan &scan) const {
  if (folder_.empty() || (!scan.crashed && !scan.refusal.empty())) return;
  const Status written = writeFileBeside(AT_FDCWD, pathFor(digest), toJson(scan), Flush::Later);
  if (!written) log::debug("plugin", written.failure().message);
}

} // namespace skillhost
