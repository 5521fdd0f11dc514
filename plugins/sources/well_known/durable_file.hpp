// SPDX-License-Identifier: Apache-2.0
// Files that a crash leaves as they were, or new.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::well_known {

// By a temporary file beside it, fsync, rename and fsync of the folder; several processes may write
// the same name. Throws skh::Error(SKH_UNAVAILABLE) when the disk refuses; what was there stays.
void writeDurably(const std::string &path, std::string_view bytes);

// Nothing is "", as is a file of more than `most` bytes. Throws std::bad_alloc alone.
std::string readWhole(const std::string &path, std::size_t most);

} // namespace skillhost::well_known
