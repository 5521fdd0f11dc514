// SPDX-License-Identifier: Apache-2.0
#include "object_folder.hpp"

#include "files/whole_file.hpp"
#include "ground/folder.hpp"
#include "ground/sha256.hpp"
#include "ground/sha512.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace skillhost::objects {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxStateBytes = std::size_t{256} << 20U;
constexpr const char *stateName = "/state.json";
constexpr std::size_t sha512Digits = 128;

bool canBeWritten(const std::string &folder) {
  if (folder.empty()) return false;
  std::error_code error;
  fs::create_directories(folder + "/objects", error);
  return !error && ::access((folder + "/objects").c_str(), W_OK | X_OK) == 0 &&
         ::access(folder.c_str(), W_OK | X_OK) == 0;
}

bool isOf(const std::string &digest, std::string_view bytes) {
  return digest == (digest.size() == sha512Digits ? sha512Hex(bytes) : sha256Hex(bytes));
}

} // namespace

ObjectFolder::ObjectFolder(skh::Host host) : hostFolder_(host.cacheDir()), written_(hostFolder_) {
  if (canBeWritten(hostFolder_)) {
    files::removeRemains(hostFolder_);
    return;
  }
  std::error_code error;
  written_ = (fs::temp_directory_path(error) / "skillhost-objects-XXXXXX").string();
  if (error || ::mkdtemp(written_.data()) == nullptr)
    throw skh::Error(SKH_UNAVAILABLE, "there is no cache directory to write to, and " + written_ +
                                          " cannot be made: " + std::strerror(errno));
  fs::create_directories(written_ + "/objects", error);
  host.log(SKH_WARN, (hostFolder_.empty() ? std::string("the host grants no cache directory")
                                          : hostFolder_ + " cannot be written to") +
                         ": nothing is kept for the next start");
}

ObjectFolder::~ObjectFolder() {
  std::error_code ignored;
  if (written_ != hostFolder_) fs::remove_all(written_, ignored);
}

bool ObjectFolder::has(const std::string &digest) const {
  std::error_code ignored;
  return fs::is_regular_file(object(written_, digest), ignored) ||
         (!hostFolder_.empty() && fs::is_regular_file(object(hostFolder_, digest), ignored));
}

std::optional<std::string> ObjectFolder::get(const std::string &digest,
                                             std::size_t maxBytes) const {
  for (const std::string &folder : {written_, hostFolder_}) {
    if (folder.empty()) continue;
    std::string bytes = files::readWhole(object(folder, digest), maxBytes);
    if (isOf(digest, bytes)) return bytes;
    std::error_code ignored;
    fs::remove(object(folder, digest), ignored);
  }
  return std::nullopt;
}

void ObjectFolder::put(const std::string &digest, std::string_view bytes) const {
  files::writeFile(object(written_, digest), bytes,
                   Flush::Later); // readers verify the content
  isFlushed_ = false;
}

void ObjectFolder::sweep(const std::set<std::string> &kept) const {
  const std::string objects = written_ + "/objects";
  if (!files::isOwnFolder(objects)) return;
  std::error_code error;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const std::string &name : namesIn(objects, error)) {
    std::error_code ignored;
    const std::string path = object(written_, name);
    if (!kept.contains(name) && fs::last_write_time(path, ignored) < old && !ignored)
      fs::remove(path, ignored);
  }
}

std::string ObjectFolder::state() const {
  std::string text = files::readWhole(written_ + stateName, maxStateBytes);
  if (text.empty() && !hostFolder_.empty())
    text = files::readWhole(hostFolder_ + stateName, maxStateBytes);
  return text;
}

void ObjectFolder::putState(std::string_view text) const {
  if (!isFlushed_.exchange(true)) files::flushAll(written_);
  files::writeFile(written_ + stateName, text, Flush::Now);
}

} // namespace skillhost::objects
