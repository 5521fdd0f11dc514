// SPDX-License-Identifier: Apache-2.0
// HMAC with SHA-256 (RFC 2104, FIPS 198-1) by OpenSSL: who knows the key has sent these bytes.
#pragma once

#include <string_view>

namespace skillhost {

// Whether `signature` is that of the bytes: 64 hexadecimal digits in either case; anything else is
// none. Takes the same time wherever a wrong one differs. Throws std::runtime_error when OpenSSL
// offers no SHA-256. Any thread.
bool signedWithHmacSha256(std::string_view bytes, std::string_view key, std::string_view signature);

} // namespace skillhost
