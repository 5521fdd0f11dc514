// SPDX-License-Identifier: Apache-2.0
// Checks that names of skills and paths of files are safe and unambiguous on every file system.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::store {

// Returns the fault of a name; empty if there is none. A name is 1 to 64 bytes of UTF-8 without
// separators, dots, control characters, and without blanks at its ends.
std::string wrongName(std::string_view name);
// Returns the fault of a path; empty if there is none. A path is relative and has at most 1,024
// bytes of UTF-8. Its segments are never empty, "." or "..", and contain no control characters or
// backslashes.
std::string wrongPath(std::string_view path);
// Folds the case and composes the characters (Unicode NFC). Two names with the same result cannot
// be beside each other on every file system. Throws StoreError if the name is not valid UTF-8.
std::string folded(std::string_view name);

} // namespace skillhost::store
