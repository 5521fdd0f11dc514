// SPDX-License-Identifier: Apache-2.0
// Digests as people see them: two lower-case hexadecimal digits a byte.
#pragma once

#include "digest/blake3.hpp"

#include <string>

namespace skillhost::digest {

std::string hexadecimal(const Digest &digest);
// Is it the text of a digest: 64 digits, in lower case?
bool isHexadecimal(std::string_view text) noexcept;

} // namespace skillhost::digest
