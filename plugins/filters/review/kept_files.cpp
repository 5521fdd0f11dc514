// SPDX-License-Identifier: Apache-2.0
#include "review/kept_files.hpp"

#include "base/log.hpp"
#include "ground/blake3.hpp"
#include "ground/folder.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/read_file.hpp"
#include "ground/replace_file.hpp"
#include "ground/utf8.hpp"

#include <filesystem>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::size_t digestDigits = 64;

} // namespace

void KeptFiles::keep(const std::string &digest, std::string_view bytes) const {
  if (folder_.empty() || bytes.size() > maxKeptTextBytes || !isUtf8(bytes)) return;
  const std::string path = folder_ + '/' + digest;
  std::error_code error;
  if (std::filesystem::exists(path, error)) return;
  std::filesystem::create_directories(folder_, error);
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, error);
  if (const Status written = replaceFile(path, bytes, FileReaders::Owner); !written)
    log::warning("review", "the reviewed files cannot be kept, so later differences will show only "
                           "the names of files: " +
                               written.failure().message);
}

std::optional<std::string> KeptFiles::get(const std::string &digest) const {
  if (folder_.empty()) return std::nullopt;
  Result<std::string> bytes = readFile(folder_ + '/' + digest, maxKeptTextBytes, FileKind::Regular);
  if (!bytes || blake3Hex(*bytes) != digest) return std::nullopt;
  return *std::move(bytes);
}

void KeptFiles::tidy(const std::set<std::string> &used) const {
  namespace fs = std::filesystem;
  if (folder_.empty()) return;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  std::error_code error;
  for (const std::string &name : namesIn(folder_, error)) {
    std::error_code failed; // of this file; the others are examined nevertheless
    const fs::path path = fs::path(folder_) / name;
    const fs::file_time_type written = fs::last_write_time(path, failed);
    if (failed || !isHexadecimal(name, digestDigits)) continue;
    if (!used.contains(name)) {
      if (now - written > keptUnused) fs::remove(path, failed);
    } else if (now - written > std::chrono::hours(24)) {
      fs::last_write_time(path, now, failed);
    }
  }
}

} // namespace skillhost
