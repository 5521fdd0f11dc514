// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "beneath/top_link.hpp"

#include "paths/names.hpp"

#include <skillhost/config.hpp>

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace skillhost::filesystem {
namespace {

// Returns the home directory; empty if it is unknown.
std::string homeDirectory() {
  if (const char *home = std::getenv("HOME"); home != nullptr && *home == '/') return home;
  std::array<char, 16'384> buffer{};
  passwd entry{};
  passwd *found = nullptr;
  ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr || found->pw_dir == nullptr || *found->pw_dir != '/') return {};
  return found->pw_dir;
}

std::string absolutePath(const std::string &key, const std::string &configured) {
  const bool home = configured == "~" || configured.starts_with("~/");
  const std::string start = home ? homeDirectory() : std::string();
  if (home && start.empty())
    throw skh::Error(SKH_INVALID, key + R"(: "~" cannot be expanded, HOME is not set)");
  std::filesystem::path path = home ? start + configured.substr(1) : configured;
  if (!path.is_absolute() || configured.find('\0') != std::string::npos) {
    throw skh::Error(SKH_INVALID, key + ": \"" + paths::printable(configured) +
                                      R"(" must be an absolute path or start with "~/")");
  }
  std::string text = path.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

// Returns the base name in a form that can be the first segment of an id.
std::string idSegment(const std::string &path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.empty()) name = "root";
  if (!paths::servable(name)) {
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return c == '\\' || !paths::servable(std::string_view(&c, 1)); }, '_');
  }
  return name;
}

std::string unusedName(const std::vector<Directory> &directories, const std::string &name) {
  const auto used = [&](const std::string &candidate) {
    return std::any_of(directories.begin(), directories.end(),
                       [&](const Directory &other) { return other.name == candidate; });
  };
  std::string candidate = name;
  for (int number = 2; used(candidate); ++number) candidate = name + "-" + std::to_string(number);
  return candidate;
}

// Reads folders that may be missing.
std::vector<std::string> readFolders(const skh::Config &config, const std::string &key) {
  std::vector<std::string> folders;
  for (const std::string &configured : config.texts(key))
    folders.push_back(absolutePath(key, configured));
  return folders;
}

std::vector<Directory> readDirectories(const skh::Config &config) {
  std::vector<Directory> directories;
  for (const std::string &configured : config.texts("directories")) {
    std::string path = absolutePath("directories", configured);
    std::string name = unusedName(directories, idSegment(path));
    directories.push_back({std::move(path), std::move(name)});
  }
  if (directories.empty()) {
    throw skh::Error(SKH_INVALID, "directories: at least one absolute path is required");
  }
  return directories;
}

WatchMode readWatch(const skh::Config &config) {
  const std::string mode = config.text("watch", "auto");
  if (mode == "auto") return WatchMode::automatic;
  if (mode == "inotify") return WatchMode::inotify;
  if (mode == "poll") return WatchMode::poll;
  if (mode == "off") return WatchMode::off;
  throw skh::Error(SKH_INVALID, R"(watch: must be "auto", "inotify", "poll" or "off")");
}

std::int64_t readNumber(const skh::Config &config, const std::string &key, std::int64_t fallback,
                        std::int64_t minimum, std::int64_t maximum) {
  const std::int64_t value = config.integer(key, fallback);
  if (value >= minimum && value <= maximum) return value;
  throw skh::Error(SKH_INVALID, key + ": must be between " + std::to_string(minimum) + " and " +
                                    std::to_string(maximum));
}

} // namespace

Settings::Settings(std::string_view configuration) {
  const skh::Config config(configuration);
  directories = readDirectories(config);
  optional = config.flag("optional", false);
  include = paths::readPatterns("include", config.texts("include"));
  exclude = paths::readPatterns("exclude", config.texts("exclude"));
  hidden = config.flag("hidden", false);
  linkTargets = readFolders(config, "follow_links_into");
  if (!config.has("follow_links_into")) linkTargets = beneath::usualLinkTargets(homeDirectory());
  servedElsewhere = readFolders(config, "served_elsewhere");
  for (const Directory &directory : directories) servedElsewhere.push_back(directory.path);
  watch = readWatch(config);
  pollInterval = std::chrono::milliseconds(
      readNumber(config, "poll_interval_ms", pollInterval.count(), 10, 86'400'000));
  debounce =
      std::chrono::milliseconds(readNumber(config, "debounce_ms", debounce.count(), 0, 10'000));
  maxFileBytes = static_cast<std::uint64_t>(
      readNumber(config, "max_file_bytes", 67'108'864, 1, 1'073'741'824));
  maxFiles = static_cast<std::size_t>(readNumber(config, "max_files", 200'000, 1, 10'000'000));
  threads = static_cast<std::size_t>(readNumber(config, "threads", 0, 0, 64));
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
}

} // namespace skillhost::filesystem
