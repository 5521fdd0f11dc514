// SPDX-License-Identifier: Apache-2.0
// Downloads files that Git LFS keeps beside a repository, through the batch API of the repository's
// own server.
//
// The token is only sent to the origin of the repository. A server may name another address for a
// file, together with the fields to send there. Only bytes with the size and SHA-256 of the pointer
// are accepted.
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

// Returns nothing if a part is missing or invalid.
std::optional<LfsPointer> readLfsPointer(std::string_view text);

// The server does not have the file or does not support Git LFS, so asking again is useless.
class NoLfsFileError : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

struct LfsAnswer {
  std::string bytes;
  std::string why;       // "" if the bytes are there
  bool isAbsent = false; // true in the case of NoLfsFileError
};

// Requests all files and reports each answer with its index, in order. Throws skh::Error if it is
// stopped, the time is up or too much is received, and RemoteError if the server does not answer
// for the next file or was asked too often. `access.url` is http:// or https://.
void downloadLfs(const HttpAccess &access, const std::vector<LfsPointer> &wanted,
                 remote::Operation &operation,
                 const std::function<void(std::size_t which, const LfsAnswer &answer)> &tell);

} // namespace skillhost::github
