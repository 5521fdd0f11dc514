// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/plugin_lock.hpp"

#include "ground/blake3.hpp"
#include "ground/text.hpp"
#include "ground/trusted_path.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::size_t digestDigits = 64;

bool isDigest(std::string_view text) {
  return text.size() == digestDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

} // namespace

Result<PluginLock> PluginLock::read(const std::string &file) {
  if (const Status trusted = checkTrusted(file); !trusted)
    return {Fault::Denied, "plugins.lock: " + trusted.failure().message};
  std::ifstream in(file);
  if (!in)
    return {Fault::NotFound,
            "plugins.lock: " + file + ": " + std::generic_category().message(errno)};
  PluginLock lock;
  lock.file_ = file;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string_view text = trimmedLine(line);
    if (text.empty() || text.front() == '#') continue;
    const std::string_view name = trimmedLine(text.substr(std::min(digestDigits, text.size())));
    if (!isDigest(text.substr(0, digestDigits)) || name.empty())
      return {Fault::InvalidFormat, file + ":" + std::to_string(number) +
                                        ": expected 64 lower-case hexadecimal digits and the name "
                                        "of a file, as skillhost plugins --write-lock writes them"};
    lock.digests_[std::string(name)].emplace(text.substr(0, digestDigits));
  }
  return lock;
}

std::string PluginLock::write(const std::vector<std::string> &files) {
  std::string text = "# Plugin files that may be loaded: BLAKE3 digest, path.\n";
  for (const std::string &file : files)
    if (const Result<std::string> digest = blake3OfFile(file)) text += *digest + "  " + file + "\n";
  return text;
}

Status PluginLock::check(const std::string &path, const std::string &digest) const {
  auto listed = digests_.find(path);
  if (listed == digests_.end())
    listed = digests_.find(std::filesystem::path(path).filename().string());
  if (listed == digests_.end()) return {Fault::Denied, "it is not listed in " + file_};
  if (!listed->second.contains(digest))
    return {Fault::Denied,
            "it is not the file listed in " + file_ + ": its BLAKE3 digest is " + digest};
  return Done{};
}

} // namespace skillhost
