// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "plugin_calls/cache_directory.hpp"
#include "temporary_folder.hpp"

#include <skillhost/plugin.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

constexpr const char *plugin = "org.example.search";

constexpr std::chrono::hours week{7 * 24};

void makeOld(const std::string &path, std::chrono::hours age) {
  fs::last_write_time(path + ".lock", fs::file_time_type::clock::now() - age);
}

// Makes a cache folder with a file in it, as an instance leaves that ended that long ago.
std::string leftBehind(const std::string &all, const std::string &name, const std::string &mark,
                       std::chrono::hours age) {
  const std::string path = takeCacheDirectory(all, name, plugin, mark).path;
  std::ofstream(path + "/index") << "kept";
  makeOld(path, age);
  return path;
}

} // namespace

TEST_CASE("each mark has a folder, which the next of that mark finds again") {
  const TemporaryFolder folder;
  const std::string all = folder.path() + "/instances";
  const std::string one = leftBehind(all, "search", "aa", {});
  const std::string other = leftBehind(all, "search", "bb", {});
  CHECK(one != other);
  const CacheDirectory again = takeCacheDirectory(all, "search", plugin, "aa");
  CHECK(again.path == one);
  CHECK(fs::exists(one + "/index"));
  CHECK(takeCacheDirectory(all, "search", plugin, "aa").path == one + "-2");
}

TEST_CASE("folders that nobody has used for long are removed, and no others") {
  const TemporaryFolder folder;
  const std::string all = folder.path() + "/instances";
  const std::string old = leftBehind(all, "search", "aa", week + std::chrono::hours(1));
  const std::string ofView = leftBehind(all, "search-0123", "aa", week * 2);
  const std::string recent = leftBehind(all, "search", "bb", week - std::chrono::hours(1));
  const std::string unmarked = leftBehind(all, "search", {}, week * 2);
  const std::string others = leftBehind(all, "notes", "aa", week * 2);
  CacheDirectory held = takeCacheDirectory(all, "search", plugin, "cc");
  const CacheDirectory heldView = takeCacheDirectory(all, "search-4567", plugin, "cc");
  for (const std::string &path : {held.path, heldView.path}) makeOld(path, week * 2);

  removeUnusedCacheDirectories(all, "search");
  for (const std::string &gone : {old, ofView}) {
    CHECK_FALSE(fs::exists(gone));
    CHECK_FALSE(fs::exists(gone + ".lock"));
  }
  for (const std::string &stays : {recent, unmarked, others, held.path, heldView.path})
    CHECK(fs::exists(stays));
  // A folder that was held for long counts as used until now.
  held.ours.reset();
  removeUnusedCacheDirectories(all, "search");
  CHECK(fs::exists(held.path));
  makeOld(held.path, week * 2);
  removeUnusedCacheDirectories(all, "search");
  CHECK_FALSE(fs::exists(held.path));
  CHECK(takeCacheDirectory(all, "search", plugin, "aa").path == old); // made again
  CHECK_FALSE(fs::exists(old + "/index"));
  removeUnusedCacheDirectories(folder.path() + "/absent", "search");
}

TEST_CASE("plugins that share a folder get the same one, and the others one each") {
  const TemporaryFolder folder;
  const std::string all = folder.path() + "/instances";
  CacheDirectory first = takeCacheDirectory(all, "search", plugin, "aa", SKH_SHARES_CACHE);
  const CacheDirectory second = takeCacheDirectory(all, "search", plugin, "aa", SKH_SHARES_CACHE);
  CHECK(first.path == second.path);
  CHECK(takeCacheDirectory(all, "search", plugin, "aa").path == first.path + "-2");
  // It is in use as long as one of them has it.
  first.ours.reset();
  makeOld(second.path, week * 2);
  removeUnusedCacheDirectories(all, "search");
  CHECK(fs::exists(second.path));
  CHECK(takeCacheDirectory(all, "search", plugin, "aa").path == second.path + "-2");
  const CacheDirectory alone = takeCacheDirectory(all, "search", plugin, "bb");
  CHECK(takeCacheDirectory(all, "search", plugin, "bb", SKH_SHARES_CACHE).path ==
        alone.path + "-2");
}

TEST_CASE("who tries a folder that is held does not make it look used") {
  const TemporaryFolder folder;
  const std::string all = folder.path() + "/instances";
  const CacheDirectory held = takeCacheDirectory(all, "search", plugin, "aa");
  makeOld(held.path, week * 2);
  const auto before = fs::last_write_time(held.path + ".lock");
  CHECK(takeCacheDirectory(all, "search", plugin, "aa").path == held.path + "-2");
  CHECK(fs::last_write_time(held.path + ".lock") == before);
}

TEST_CASE("nothing is removed where others could have put it") {
  const TemporaryFolder folder;
  const std::string all = folder.path() + "/instances";
  const std::string old = leftBehind(all, "search", "aa", week * 2);
  const std::string link = folder.path() + "/link";
  fs::create_directory_symlink(all, link);
  removeUnusedCacheDirectories(link, "search");
  CHECK(fs::exists(old + "/index"));
  fs::permissions(all, fs::perms::all);
  removeUnusedCacheDirectories(all, "search");
  CHECK(fs::exists(old + "/index"));
  fs::permissions(all, fs::perms::owner_all);
  // The target of a link in the place of a folder stays.
  const std::string planted = leftBehind(all, "search", "bb", week * 2);
  const std::string elsewhere = folder.path() + "/elsewhere";
  fs::rename(planted, elsewhere);
  fs::create_directory_symlink(elsewhere, planted);
  removeUnusedCacheDirectories(all, "search");
  CHECK_FALSE(fs::exists(old));
  CHECK_FALSE(fs::is_symlink(planted));
  CHECK(fs::exists(elsewhere + "/index"));
}
