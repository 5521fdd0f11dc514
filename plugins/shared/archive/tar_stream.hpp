// SPDX-License-Identifier: Apache-2.0
// Reads tar archives of strangers while they arrive, for callers that want some of the content and
// recognise it by its bytes, not by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost::archive {

struct StreamLimits {
  std::size_t entries = 0;      // number of files, links and folders
  std::uint64_t bytes = 0;      // limit of the unpacked archive
  std::uint64_t ratio = 0;      // unpacked bytes per received byte, beyond the first MiB
  std::uint64_t entryBytes = 0; // limit of one file; a larger one is skipped
};

// Reads a tar of any form, plain or packed by gzip. `more` returns the next part, which must stay
// valid until the next call, and an empty one at the end. `take` gets the bytes of each file and
// the target of each symbolic link, in the order of the archive. Names are ignored, and nothing is
// written. Throws what both throw, and std::runtime_error if the archive is damaged or exceeds a
// limit, which the message names.
void readTarStream(const std::function<std::string_view()> &more, const StreamLimits &limits,
                   const std::function<void(std::string_view)> &take);

} // namespace skillhost::archive
