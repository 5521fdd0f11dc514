// SPDX-License-Identifier: Apache-2.0
// A token: "skh_" and 48 characters of base64url, which hold 256 random bits and a checksum of 32.
// The checksum tells a typo from a wrong token without a look at the file, and lets secret scanners
// be sure (the pattern is skh_[A-Za-z0-9_-]{48}).
#pragma once

#include <string>
#include <string_view>

namespace skillhost::tokens {

// Throws std::system_error when the kernel has no randomness. Any thread.
std::string newToken();
// Is it spelt as newToken() spells tokens, checksum included? Says nothing about who knows it.
bool isWellFormed(std::string_view token);
// 64 lower-case hexadecimal digits: BLAKE3 in its key derivation mode, with a context of our own,
// so that a hash means nothing elsewhere. A salt would add nothing to 256 random bits.
std::string hashOfToken(std::string_view token);

} // namespace skillhost::tokens
