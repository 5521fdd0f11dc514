// SPDX-License-Identifier: Apache-2.0
#include "file_content.hpp"

#include "ground/document_names.hpp"

#include <skillhost/plugin.hpp>

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace skillhost::filesystem {
namespace {

constexpr std::size_t stride = 1U << 20U; // bytes between two calls of the checkpoint

bool has(int file, const FileIdentity &identity) noexcept {
  struct stat status{};
  return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && identityOf(status) == identity;
}

// Fills `into` and returns the number of bytes, which is smaller than `size` only at the end of the
// file.
std::size_t fill(int file, char *into, std::size_t size) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t count = ::read(file, into + got, size - got);
    if (count == 0) break;
    if (count > 0) {
      got += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      throw skh::Error(SKH_FAILED, std::string("cannot read: ") + std::strerror(errno));
    }
  }
  return got;
}

std::optional<Digest> digestSteady(int file, const FileIdentity &identity,
                                   const Checkpoint &checkpoint) {
  const std::size_t chunk = std::min<std::size_t>(identity.size, 65'536);
  const auto buffer = std::make_unique_for_overwrite<char[]>(chunk);
  ContentHash hash;
  for (std::uint64_t left = identity.size; left > 0;) {
    checkpoint();
    const std::size_t wanted = std::min<std::size_t>(left, chunk);
    if (fill(file, buffer.get(), wanted) != wanted) return std::nullopt;
    hash.add(std::string_view(buffer.get(), wanted));
    left -= wanted;
  }
  if (!has(file, identity)) return std::nullopt;
  return hash.finish();
}

} // namespace

std::optional<Content> readSteady(int file, const FileIdentity &identity,
                                  const Checkpoint &checkpoint) {
  if (!has(file, identity)) return std::nullopt;
  const std::size_t size = identity.size;
  Content content{std::make_unique_for_overwrite<char[]>(size), size};
  for (std::size_t at = 0; at < size; at += stride) {
    checkpoint();
    const std::size_t wanted = std::min(stride, size - at);
    if (fill(file, content.bytes.get() + at, wanted) != wanted) return std::nullopt;
  }
  if (!has(file, identity)) return std::nullopt;
  return content;
}

Examined examine(const Root &root, const std::string &path, const FileIdentity &known,
                 const Checkpoint &checkpoint) {
  Examined examined{known, std::nullopt};
  for (int attempt = 0; attempt < 3 && !examined.digest; ++attempt) {
    const Opened file = openIn(root, path, O_RDONLY);
    struct stat status{};
    if (file.error != 0 || ::fstat(file.descriptor.number(), &status) != 0) break;
    // A file that grew meanwhile is left to the next scan, which checks the limit.
    if (!S_ISREG(status.st_mode) || identityOf(status).size > known.size) break;
    examined.identity = identityOf(status);
    try {
      examined.digest = digestSteady(file.descriptor.number(), examined.identity, checkpoint);
    } catch (const skh::Error &error) {
      if (error.status() != SKH_FAILED) throw;
      break;
    }
  }
  return examined;
}

bool holdsLfsPointer(const Root &root, const std::string &path, std::uint64_t size) {
  if (size < minLfsPointerBytes || size > maxLfsPointerBytes) return false;
  const Opened file = openIn(root, path, O_RDONLY);
  struct stat status{};
  if (file.error != 0 || ::fstat(file.descriptor.number(), &status) != 0 ||
      !S_ISREG(status.st_mode))
    return false;
  std::array<char, maxLfsPointerBytes> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init)
  return isLfsPointer({bytes.data(), fill(file.descriptor.number(), bytes.data(), bytes.size())});
}

} // namespace skillhost::filesystem
