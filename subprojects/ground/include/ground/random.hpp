// SPDX-License-Identifier: Apache-2.0
// Random bytes that nobody can guess, from the kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace skillhost {

// Fills at most 256 bytes. Throws std::system_error where the kernel has none.
void fillRandom(std::span<unsigned char> bytes);
// `bytes` of them, at most 256, as lower-case hexadecimal. Throws as fillRandom().
std::string randomHex(std::size_t bytes);

} // namespace skillhost
