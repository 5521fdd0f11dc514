// SPDX-License-Identifier: Apache-2.0
#include "identity.hpp"

#include <ctime>

namespace skillhost::filesystem {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t millisecond = 1'000'000;

std::int64_t nanoseconds(const timespec &time) noexcept {
  return static_cast<std::int64_t>(time.tv_sec) * second + time.tv_nsec;
}

// Longest time for which the times of a file may stay the same while its bytes change.
std::int64_t standstill(const FileIdentity &identity, Clock clock) noexcept {
  // A remote clock may be behind ours. Times in whole seconds come from a coarse file system.
  if (clock == Clock::remote || identity.changed % second == 0) return 3 * second;
  // The kernel's clock advances at least every 10 ms, but write() updates the times before the
  // bytes. On a busy machine the writer may wait for a processor in between, and a large write
  // takes a millisecond for every 64 KiB.
  return 250 * millisecond + static_cast<std::int64_t>(identity.size / 65'536) * millisecond;
}

} // namespace

FileIdentity identityOf(const struct stat &status) noexcept {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
          static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

std::int64_t wallClock() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

bool mayChangeUnnoticed(const FileIdentity &identity, std::int64_t now, Clock clock) noexcept {
  // Only the change time counts, because programs can set the modification time but not this one.
  return identity.changed + standstill(identity, clock) > now;
}

Revision::Revision(const FileIdentity &identity, const std::optional<Digest> &digest,
                   bool steady) noexcept {
  ContentHash hash;
  for (const std::uint64_t number : {identity.device, identity.inode, identity.size}) {
    hash.add(number);
  }
  hash.add(static_cast<std::uint64_t>(identity.modified));
  hash.add(static_cast<std::uint64_t>(identity.changed));
  if (digest) {
    hash.add(digest->high);
    hash.add(digest->low);
  } else if (!steady) {
    hash.add("unread");
  }
  text_ = hexadecimal(hash.finish());
}

} // namespace skillhost::filesystem
