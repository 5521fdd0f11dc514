// SPDX-License-Identifier: Apache-2.0
// Files that Git LFS keeps beside a repository, by the batch API of the repository's own server.
//
// The token goes to the origin of the repository and to no other: a server may name another place
// for a file, and what that place is to be told with it. Nothing is taken but the bytes whose size
// and SHA-256 the pointer names.
#pragma once

#include "http_conversation.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::github {

struct LfsPointer {
  std::string oid; // 64 hexadecimal digits: the SHA-256 of the file
  std::uint64_t size = 0;
};

// Nothing when a part is missing or no such value.
std::optional<LfsPointer> readLfsPointer(std::string_view text);

// The server has no such file, or nothing of Git LFS at all: asking again is no use.
class NoLfsFileError : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

struct LfsAnswer {
  std::string bytes;
  std::string why;       // "": the bytes are there
  bool isAbsent = false; // as NoLfsFileError
};

// Asks for all, and tells of each, by its index and in their order, what was answered. Throws
// skh::Error when it is stopped, time is up or too much is received, and RemoteError when the
// server does not answer for the next one or has been asked too often. `access.url` is http:// or
// https://.
void downloadLfs(const HttpAccess &access, const std::vector<LfsPointer> &wanted,
                 remote::Operation &operation,
                 const std::function<void(std::size_t which, const LfsAnswer &answer)> &tell);

} // namespace skillhost::github
