// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/replace_file.hpp"
#include "plugin_calls/scan_cache.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

using namespace skillhost;
namespace fs = std::filesystem;

TEST_CASE(
    "a cache of scans keeps results for its user alone, and removes old drafts of killed hosts") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/scans", digest = "0123";
  PluginScan scan;
  scan.crashed = true;
  scan.refusal = "it crashed";
  ScanCache(path, "1").keep(digest, scan);
  const std::string kept = path + "/" + digest + "-1.json", draft = kept + std::string(besideMark);
  struct stat facts{};
  REQUIRE(::stat(kept.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 07777U) == 0600);
  std::ofstream(draft + "1.0") << "{";
  std::ofstream(draft + "1.1") << "{";
  fs::last_write_time(draft + "1.0", fs::file_time_type::clock::now() - std::chrono::hours(2));
  const ScanCache again(path, "1");
  CHECK_FALSE(fs::exists(draft + "1.0"));
  CHECK(fs::exists(draft + "1.1")); // another host may be writing it
  REQUIRE(again.find(digest));
  CHECK(again.find(digest)->crashed);

  // A cache that cannot be made keeps nothing, and no file gets into its parent.
  std::ofstream(folder.path() + "/file") << "x";
  const ScanCache impossible(folder.path() + "/file/scans", "1");
  impossible.keep(digest, scan);
  CHECK_FALSE(impossible.find(digest));
}
