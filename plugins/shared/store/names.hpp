// SPDX-License-Identifier: Apache-2.0
// Checks that names of skills and paths of files are safe and unambiguous on every file system.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::store {

// Returns the fault of a name; empty if there is none. A name has 1 to 64 bytes of UTF-8. It
// contains no slash, backslash, dot, control character or invisible character, and does not begin
// or end with a space.
std::string faultInName(std::string_view name);
// Returns the fault of a path; empty if there is none. A path is relative and has at most 1,024
// bytes of UTF-8. Its segments are never empty, "." or "..", and contain no control characters,
// invisible characters or backslashes.
std::string faultInPath(std::string_view path);
// Returns the name in folded case and Unicode NFC. Two names with the same result are one file on
// some file systems. Throws StoreError if the name is not valid UTF-8.
std::string folded(std::string_view name);

} // namespace skillhost::store
