// SPDX-License-Identifier: Apache-2.0
// Random bytes that nobody can guess, from the kernel.
#pragma once

#include <cstddef>
#include <string>

namespace skillhost {

// `bytes` of them, at most 256, as lower-case hexadecimal. Throws std::system_error where the
// kernel has none.
std::string randomHex(std::size_t bytes);

} // namespace skillhost
