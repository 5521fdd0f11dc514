// SPDX-License-Identifier: Apache-2.0
// Names of skills and paths of files, held to what is safe and means the same on every file system.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::store {

// Empty, or what is wrong: a name is 1 to 64 bytes of UTF-8 without separators, dots, control
// characters, and blanks at its ends.
std::string wrongName(std::string_view name);
// Empty, or what is wrong: a path is relative, at most 1,024 bytes of UTF-8, its segments are never
// empty, "." or "..", and hold neither control characters nor backslashes.
std::string wrongPath(std::string_view path);
// Two names with one folding cannot lie beside each other on every file system: case folded, and in
// the composed form (Unicode NFC). Of valid UTF-8; throws StoreError for anything else.
std::string folded(std::string_view name);

} // namespace skillhost::store
