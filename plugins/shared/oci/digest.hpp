// SPDX-License-Identifier: Apache-2.0
// Digests as OCI writes them: "sha256:" and 64 hexadecimal digits, or "sha512:" and 128. Any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::oci {

// One of the two, in lower case; other algorithms cannot be verified here.
bool isDigest(std::string_view text) noexcept;
// Is it the digest of these bytes? `digest` is one.
bool isDigestOf(std::string_view digest, std::string_view bytes);
std::string sha256Digest(std::string_view bytes);
// The hexadecimal digits alone, whose number says which algorithm it is.
std::string hexadecimalOf(std::string_view digest);

} // namespace skillhost::oci
