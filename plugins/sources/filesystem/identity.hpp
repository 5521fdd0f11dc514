// SPDX-License-Identifier: Apache-2.0
// Distinguishes versions of a file by an identity, from which the revision is made.
#pragma once

#include "content_hash.hpp"

#include <sys/stat.h>

#include <compare>
#include <optional>

namespace skillhost::filesystem {

struct FileIdentity {
  std::uint64_t device = 0, inode = 0;
  std::uint64_t size = 0;                 // bytes
  std::int64_t modified = 0, changed = 0; // nanoseconds since 1970, as stored by the file system
  friend bool operator==(const FileIdentity &, const FileIdentity &) = default;
};

FileIdentity identityOf(const struct stat &status) noexcept;

// Identifies a folder or file independently of its path.
struct Place {
  std::uint64_t device = 0, inode = 0;
  friend auto operator<=>(const Place &, const Place &) = default;
};

// The clock that sets the times of files in a folder.
enum class Clock { local, remote };

// Nanoseconds since 1970 on the clock that sets the times of local files.
std::int64_t wallClock() noexcept;

// True if a later change might not alter the identity: the file changed so shortly before `now`
// that its clock may not have advanced since, or its times are coarse or remote. Then the revision
// must also contain a digest of the bytes.
bool mayChangeUnnoticed(const FileIdentity &identity, std::int64_t now, Clock clock) noexcept;

// An opaque text of 32 characters that identifies the bytes of a file.
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
