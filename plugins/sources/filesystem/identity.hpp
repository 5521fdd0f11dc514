// SPDX-License-Identifier: Apache-2.0
// What tells one version of a file from the next: its identity, and the revision made of it.
#pragma once

#include "content_hash.hpp"

#include <sys/stat.h>

#include <compare>
#include <optional>

namespace skillhost::filesystem {

struct FileIdentity {
  std::uint64_t device = 0, inode = 0;
  std::uint64_t size = 0;                 // bytes
  std::int64_t modified = 0, changed = 0; // nanoseconds since 1970, as the file system keeps them
  friend bool operator==(const FileIdentity &, const FileIdentity &) = default;
};

FileIdentity identityOf(const struct stat &status) noexcept;

// A folder or file by what it is rather than by its path.
struct Place {
  std::uint64_t device = 0, inode = 0;
  friend auto operator<=>(const Place &, const Place &) = default;
};

// Whose clock stamps the files of a folder.
enum class Clock { local, remote };

// Nanoseconds since 1970 on the clock that stamps local files.
std::int64_t wallClock() noexcept;

// True when a later change could leave the identity as it is: the file changed so shortly before
// `now` that the clock of its times may not have moved since, or its times are coarse or foreign.
// The identity alone then does not name the bytes; a digest of them must be part of the revision.
bool restless(const FileIdentity &identity, std::int64_t now, Clock clock) noexcept;

// An opaque text of 32 characters, naming the bytes of a file.
class Revision {
public:
  Revision() = default;
  Revision(const FileIdentity &identity, const std::optional<Digest> &digest, bool steady) noexcept;
  std::string_view view() const noexcept { return {text_.data(), text_.size()}; }
  friend bool operator==(const Revision &, const Revision &) = default;

private:
  std::array<char, 32> text_{};
};

} // namespace skillhost::filesystem
