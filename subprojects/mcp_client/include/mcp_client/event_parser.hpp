// SPDX-License-Identifier: Apache-2.0
// Reads text/event-stream (HTML standard, section 9.2.6) from pieces of any size.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Used by one thread only.
class EventParser {
public:
  // An event, and a line, may have at most `maxBytes` bytes.
  explicit EventParser(std::size_t maxBytes) : maxBytes_(maxBytes) {}

  // `type` is "message" unless the stream says otherwise; `data` has its lines joined by '\n'.
  using Handler = std::function<void(std::string_view type, std::string_view data)>;
  // Calls `handler` for each event that is now whole. False for good when one is too large.
  bool parse(std::string_view bytes, const Handler &handler);

  // The id of the last whole event that named one, to send as Last-Event-ID when reconnecting.
  const std::string &lastId() const noexcept { return lastEventId_; }
  // The delay before reconnecting; nothing if the stream names none.
  std::optional<std::chrono::milliseconds> retry() const noexcept { return retry_; }

private:
  bool processLine(std::string_view text, const Handler &handler);
  void processField(std::string_view name, std::string_view value);

  const std::size_t maxBytes_;
  std::string line_, data_, type_;
  // The id of the event that is being read, and of the last whole one.
  std::string pendingId_, lastEventId_;
  std::optional<std::chrono::milliseconds> retry_;
  bool hasBegun_ = false, skipsLineFeed_ = false, hasData_ = false, failed_ = false;
};

} // namespace skillhost
