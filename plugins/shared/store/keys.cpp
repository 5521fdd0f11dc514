// SPDX-License-Identifier: Apache-2.0
#include "keys.hpp"

#include "folder.hpp"
#include "ground/descriptor.hpp"
#include "ground/public_key_file.hpp"
#include "ground/trusted_path.hpp"
#include "problem.hpp"

#include <fcntl.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace skillhost::store {
namespace {

[[noreturn]] void refuseKey(const std::string &path, const std::string &why) {
  throw StoreError(Problem::Refused, path + ": " + why);
}

} // namespace

std::string readPrivateFile(const std::string &path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file && errno == ENOENT)
    throw StoreError(Problem::Missing, path + ": there is no such file");
  struct stat status{};
  if (!file || ::fstat(file.number(), &status) != 0) failOfSystem(path, "cannot be opened");
  if (!S_ISREG(status.st_mode)) refuseKey(path, "must be a regular file");
  if (holdsPublicKey(file.number())) refuseKey(path, isPublicKeyText);
  if ((status.st_mode & 077U) != 0) refuseKey(path, "others than its owner may use it: chmod 600");
  if (status.st_uid != 0 && status.st_uid != ::geteuid())
    refuseKey(path, "must belong to root or to the user this runs as");
  if (const Status trusted = checkTrusted(path); !trusted)
    throw StoreError(Problem::Refused, trusted.failure().message);
  std::string bytes(limit + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failOfSystem(path, "cannot be read");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > limit) refuseKey(path, "is too large for a key");
  bytes.resize(size);
  return bytes;
}

Blake3::Key readStoreKey(const std::string &path) {
  Blake3::Key key{};
  const std::string bytes = readPrivateFile(path, key.size());
  if (bytes.size() != key.size())
    refuseKey(path, "a store's key has 32 bytes: skillhost key new --kind store makes one");
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

void writePrivateFile(const std::string &path, const std::string &bytes) {
  const std::filesystem::path whole(path);
  const Folder folder = Folder::openOrMake(whole.parent_path().string());
  struct stat status{};
  if (::fstatat(folder.number(), whole.filename().c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
    refuseKey(path, "is there already, and a key is never overwritten: name another file");
  folder.write(whole.filename().string(), bytes, 0600);
  folder.synchronise();
}

std::string newStoreKey() {
  std::string key(Blake3::Key{}.size(), '\0');
  // The kernel fills requests of up to 256 bytes completely or not at all.
  while (::getrandom(key.data(), key.size(), 0) < 0)
    if (errno != EINTR) failOfSystem("the kernel's random numbers", "cannot be had");
  return key;
}

} // namespace skillhost::store
