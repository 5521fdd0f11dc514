// SPDX-License-Identifier: Apache-2.0
#include "token_file.hpp"

#include "ground/descriptor.hpp"
#include "ground/read_file.hpp"
#include "ground/trusted_path.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace skillhost::tokens {
namespace {

constexpr std::size_t maxFileBytes = std::size_t{8} << 20U;

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw std::runtime_error(path + ": " + why);
}

bool same(const timespec &left, const timespec &right) {
  return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
}

// Checks the open file, so that nobody can replace it in between.
void requirePrivate(const std::string &path, const struct stat &file) {
  if (!S_ISREG(file.st_mode)) refuse(path, "must be a regular file");
  if ((file.st_mode & 027U) != 0)
    refuse(path, "others than its owner may change or read it: chmod 600, or 640 for a group");
  if (file.st_uid != 0 && file.st_uid != ::geteuid())
    refuse(path, "must belong to root or to the user this runs as");
}

} // namespace

TokenFile TokenFile::read(const std::string &path) try {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file && errno == ENOENT) refuse(path, "is not there: skillhost token add makes it");
  if (!file) throw std::system_error(errno, std::generic_category(), "cannot be opened");
  struct stat state{};
  if (::fstat(file.number(), &state) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot be examined");
  requirePrivate(path, state);
  if (const Status trusted = checkTrusted(path); !trusted)
    throw std::runtime_error(trusted.failure().message);
  const Result<std::string> text = readDescriptor(file.number(), maxFileBytes);
  if (!text) refuse(path, "cannot be read: " + text.failure().message);
  try {
    return {readTokenList(*text), state};
  } catch (const std::runtime_error &why) {
    refuse(path, why.what());
  }
} catch (const std::system_error &why) {
  refuse(path, why.what());
}

bool TokenFile::isCurrent(const std::string &path) const {
  struct stat now{};
  return ::stat(path.c_str(), &now) == 0 && now.st_dev == state_.st_dev &&
         now.st_ino == state_.st_ino && now.st_size == state_.st_size &&
         now.st_mode == state_.st_mode && now.st_uid == state_.st_uid &&
         same(now.st_mtim, state_.st_mtim) && same(now.st_ctim, state_.st_ctim);
}

std::string defaultTokenFile(const std::string &configHome, const std::string &home) {
  if (configHome.starts_with('/')) return configHome + "/skillhost/tokens.json";
  return home.starts_with('/') ? home + "/.config/skillhost/tokens.json" : std::string{};
}

} // namespace skillhost::tokens
