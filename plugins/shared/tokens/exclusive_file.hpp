// SPDX-License-Identifier: Apache-2.0
// Changes a file of tokens: only one process at a time, and readers get the old or the new file.
#pragma once

#include "tokens/token_list.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::tokens {

// Reads `path` (no entries if it is missing), lets `change` edit the entries and writes the result
// with mode 0600, or 0640 if the file had that. An existing file keeps its group if the system
// allows. A lock file beside it (`path` + ".lock") is held meanwhile. Missing folders are created
// for their owner alone. If `change` throws, the file stays unchanged; other errors are
// std::runtime_error naming the file.
void changeTokenFile(const std::string &path,
                     const std::function<void(std::vector<TokenEntry> &)> &change);

} // namespace skillhost::tokens
