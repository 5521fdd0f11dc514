// SPDX-License-Identifier: Apache-2.0
#include "watch_events.hpp"

#include <sys/inotify.h>

#include <cstring>

namespace skillhost::filesystem {

std::optional<WatchEvent> takeEvent(std::string_view &buffer) noexcept {
  inotify_event head{};
  if (buffer.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, buffer.data(), sizeof head);
  buffer.remove_prefix(sizeof head);
  if (buffer.size() < head.len) return std::nullopt;
  const std::string_view padded = buffer.substr(0, head.len);
  buffer.remove_prefix(head.len);
  return WatchEvent{head.wd, head.mask, padded.substr(0, padded.find('\0'))};
}

} // namespace skillhost::filesystem
