// SPDX-License-Identifier: Apache-2.0
// Unpredictable random bytes from the kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace skillhost {

// Fills at most 256 bytes. Throws std::system_error if the kernel has none.
void fillRandom(std::span<unsigned char> bytes);
// Returns `bytes` random bytes, at most 256, as lower-case hexadecimal. Throws like fillRandom().
std::string randomHex(std::size_t bytes);

} // namespace skillhost
