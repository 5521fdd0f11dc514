// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) by OpenSSL, the digest of the wire. No trust boundary by itself.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// 64 lower-case hexadecimal digits. Any thread.
std::string sha256Hex(std::string_view bytes);

} // namespace skillhost
