// SPDX-License-Identifier: Apache-2.0
// Puts a whole new file in the place of another, so that whoever reads finds the one or the other.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// Writes `bytes` to a file beside `path`, then renames it; both reach the disk before the return,
// so no end of the process or of the machine leaves half a file. A link is followed. Writers of one
// path wait for each other. OperationFailed names the file and why. Any thread.
Status replaceFile(const std::string &path, std::string_view bytes);

// For who finds that there is nothing to write: what a writer that was killed has left beside
// `path` goes. Fails in silence. Any thread.
void removeDraft(const std::string &path);

} // namespace skillhost
