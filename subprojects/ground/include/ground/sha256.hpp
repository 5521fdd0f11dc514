// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) by OpenSSL, the digest in messages and formats. It protects nothing by
// itself.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// Returns 64 lower-case hexadecimal digits. May be called on any thread.
std::string sha256Hex(std::string_view bytes);

} // namespace skillhost
