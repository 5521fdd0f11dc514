// SPDX-License-Identifier: Apache-2.0
// Parses the records that inotify(7) delivers in a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace skillhost::filesystem {

struct WatchEvent {
  int watch;             // -1 with IN_Q_OVERFLOW
  std::uint32_t mask;    // IN_*
  std::string_view name; // empty if the event concerns the watched object itself
};

// Removes the next record from `buffer`, into which the name points. Returns nothing if there is
// none.
std::optional<WatchEvent> takeEvent(std::string_view &buffer) noexcept;

} // namespace skillhost::filesystem
