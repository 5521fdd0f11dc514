// SPDX-License-Identifier: Apache-2.0
// BLAKE3 by its authors' own C code: the digest by which plugin files are known.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// 64 lower-case hexadecimal digits. Any thread.
std::string blake3Hex(std::string_view bytes);
// The same of a file's content. NotFound when it cannot be read.
Result<std::string> blake3OfFile(const std::string &path);
// The same of an open file, which `path` names in the failure. Its position is left alone.
Result<std::string> blake3OfDescriptor(int descriptor, const std::string &path);

} // namespace skillhost
