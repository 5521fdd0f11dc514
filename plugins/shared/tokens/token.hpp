// SPDX-License-Identifier: Apache-2.0
// A token is "skh_" and 48 characters of base64url, which hold 256 random bits and a checksum of
// 32. The checksum distinguishes a typo from a wrong token without the file, and makes secret
// scanners reliable (the pattern is skh_[A-Za-z0-9_-]{48}).
#pragma once

#include <string>
#include <string_view>

namespace skillhost::tokens {

// Throws std::system_error if the kernel provides no random numbers. Any thread may call it.
std::string newToken();
// True if the text has the form of newToken(), checksum included. It may still be unknown.
bool isWellFormed(std::string_view token);
// Returns 64 lower-case hexadecimal digits: BLAKE3 in its key derivation mode with our own context,
// so that a hash is useless elsewhere. A salt would add nothing to 256 random bits.
std::string hashOfToken(std::string_view token);

} // namespace skillhost::tokens
