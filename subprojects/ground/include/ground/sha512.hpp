// SPDX-License-Identifier: Apache-2.0
// SHA-512 (FIPS 180-4) by OpenSSL, the other digest that OCI registries know.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// 128 lower-case hexadecimal digits. Any thread.
std::string sha512Hex(std::string_view bytes);

} // namespace skillhost
