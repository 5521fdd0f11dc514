// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), the digest that the web speaks.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::digest {

// 64 lower-case hexadecimal digits. Any thread. Throws std::bad_alloc.
std::string sha256(std::string_view bytes);

} // namespace skillhost::digest
