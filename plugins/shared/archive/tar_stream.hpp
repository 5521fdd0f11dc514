// SPDX-License-Identifier: Apache-2.0
// Tar archives from strangers, read while they come: for those who want some of what is in them,
// and know it by its bytes, not by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost::archive {

struct StreamLimits {
  std::size_t entries = 0;      // files, links and folders
  std::uint64_t bytes = 0;      // of the archive once it is unpacked
  std::uint64_t ratio = 0;      // unpacked bytes for one that came, beyond the first MiB
  std::uint64_t entryBytes = 0; // of one file: a larger one is passed over unread
};

// Reads tar of any form, plain or packed by gzip. `more` gives the next part, which stays valid
// until it is called again, and an empty one at the end; `take` gets the bytes of each file, and
// the target of each symbolic link, in the order of the archive. Names are not looked at, and
// nothing is written anywhere. Throws what the two throw, and std::runtime_error for an archive
// that is damaged or goes beyond a limit, which the message names.
void readTarStream(const std::function<std::string_view()> &more, const StreamLimits &limits,
                   const std::function<void(std::string_view)> &take);

} // namespace skillhost::archive
