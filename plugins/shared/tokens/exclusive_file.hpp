// SPDX-License-Identifier: Apache-2.0
// Changes a file of tokens: one process at a time, and readers see the old file or the new one.
#pragma once

#include "tokens/token_list.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::tokens {

// Reads `path` (no entries when it is not there), lets `change` work on the entries and writes what
// it leaves, with mode 0600, or 0640 when the file had that; an existing file keeps its owner's
// group where the system allows. A lock file beside it (`path` + ".lock") is held meanwhile.
// Folders that are missing are made, for their owner alone. What `change` throws leaves the file as
// it was; everything else is std::runtime_error naming the file.
void changeTokenFile(const std::string &path,
                     const std::function<void(std::vector<TokenEntry> &)> &change);

} // namespace skillhost::tokens
