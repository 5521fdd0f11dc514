// SPDX-License-Identifier: Apache-2.0
// AES-256 in counter mode (NIST SP 800-38A) by OpenSSL: encrypts bytes, and tells nothing of
// whether they were changed; who needs that adds a code of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

using CipherKey = std::array<std::uint8_t, 32>;
// The counter's first value. One key encrypts no two texts by the same one, unless the texts are
// the same.
using CipherStart = std::array<std::uint8_t, 16>;

// Encrypts what is plain and decrypts what is encrypted; as long as the bytes. Throws
// std::runtime_error when OpenSSL offers no AES. Any thread.
std::string aes256Counter(const CipherKey &key, const CipherStart &start, std::string_view bytes);

} // namespace skillhost
