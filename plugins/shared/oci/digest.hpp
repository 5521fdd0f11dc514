// SPDX-License-Identifier: Apache-2.0
// Digests in OCI's form: "sha256:" and 64 hexadecimal digits, or "sha512:" and 128. Any thread may
// call the functions.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::oci {

// True for these two algorithms, in lower case. Other algorithms cannot be verified here.
bool isDigest(std::string_view text) noexcept;
// True if `digest`, a valid digest, is that of these bytes.
bool isDigestOf(std::string_view digest, std::string_view bytes);
std::string sha256Digest(std::string_view bytes);
// Returns only the hexadecimal digits, whose number identifies the algorithm.
std::string hexadecimalOf(std::string_view digest);

} // namespace skillhost::oci
