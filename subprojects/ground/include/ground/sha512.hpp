// SPDX-License-Identifier: Apache-2.0
// SHA-512 (FIPS 180-4) by OpenSSL, the second digest of OCI registries.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// Returns 128 lower-case hexadecimal digits. May be called on any thread.
std::string sha512Hex(std::string_view bytes);

} // namespace skillhost
