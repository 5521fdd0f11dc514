// SPDX-License-Identifier: Apache-2.0
// A file of the cache that is replaced as a whole: whoever reads it has the old one or the new one,
// whatever happens meanwhile.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::github {

// By a temporary file beside it, fsync, rename and fsync of the folder. Throws
// skh::Error(SKH_UNAVAILABLE) when the disk refuses; the old file is then still there. One writer
// at a time.
void replaceFile(const std::string &path, std::string_view bytes);

} // namespace skillhost::github
