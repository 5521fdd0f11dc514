// SPDX-License-Identifier: Apache-2.0
// AES-256 in counter mode (NIST SP 800-38A) by OpenSSL. It encrypts bytes, but does not detect
// changes; add a code for that.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

using CipherKey = std::array<std::uint8_t, 32>;
// The counter's first value. One key must not encrypt two different texts with the same value.
using CipherStart = std::array<std::uint8_t, 16>;

// Encrypts or decrypts; the result has the length of the bytes. Throws std::runtime_error if
// OpenSSL offers no AES. May be called on any thread.
std::string aes256Counter(const CipherKey &key, const CipherStart &start, std::string_view bytes);

} // namespace skillhost
