// SPDX-License-Identifier: Apache-2.0
// The records that inotify(7) delivers, taken out of the buffer they came in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace skillhost::filesystem {

struct WatchEvent {
  int watch;             // -1 with IN_Q_OVERFLOW
  std::uint32_t mask;    // IN_*
  std::string_view name; // empty when the event is about the watched thing itself
};

// Takes the next record off `buffer`, into which the name points; nothing when there is none.
std::optional<WatchEvent> takeEvent(std::string_view &buffer) noexcept;

} // namespace skillhost::filesystem
