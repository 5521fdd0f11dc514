// SPDX-License-Identifier: Apache-2.0
// Parses server-sent events: https://html.spec.whatwg.org, section 9.2.6.
#include "mcp_client/event_parser.hpp"

#include <algorithm>
#include <charconv>

namespace skillhost {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
constexpr std::uint32_t maxRetryMilliseconds = 3'600'000;

} // namespace

bool EventParser::parse(std::string_view bytes, const Handler &handler) {
  while (!failed_ && !bytes.empty()) {
    if (skipsLineFeed_ && bytes.front() == '\n') bytes.remove_prefix(1); // the second half of CR LF
    skipsLineFeed_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
      line_ += bytes;
      failed_ = line_.size() > maxBytes_;
      break;
    }
    skipsLineFeed_ = bytes[end] == '\r';
    if (line_.empty()) {
      failed_ = !processLine(bytes.substr(0, end), handler);
    } else {
      line_ += bytes.substr(0, end);
      failed_ = !processLine(line_, handler);
      line_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
  return !failed_;
}

bool EventParser::processLine(std::string_view text, const Handler &handler) {
  if (!hasBegun_ && text.starts_with(byteOrderMark)) text.remove_prefix(byteOrderMark.size());
  hasBegun_ = true;
  if (text.empty()) {
    lastEventId_ = pendingId_; // only a complete event changes the last event id
    if (hasData_) handler(type_.empty() ? "message" : std::string_view(type_), data_);
    data_.clear();
    type_.clear();
    hasData_ = false;
    return true;
  }
  const std::size_t colon = std::min(text.find(':'), text.size());
  std::string_view value = text.substr(std::min(colon + 1, text.size()));
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (colon != 0) processField(text.substr(0, colon), value); // a line without a name is a comment
  return data_.size() <= maxBytes_ && text.size() <= maxBytes_;
}

void EventParser::processField(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (hasData_) data_ += '\n';
    data_ += value;
    hasData_ = true;
  } else if (name == "event") {
    type_ = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) pendingId_ = value;
  } else if (name == "retry") {
    std::uint32_t number = 0;
    const char *const begin = value.data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
    const char *const end = begin + value.size();
    const auto [rest, error] = std::from_chars(begin, end, number);
    if (error == std::errc{} && rest == end)
      retry_ = std::chrono::milliseconds(std::min(number, maxRetryMilliseconds));
  }
}

} // namespace skillhost
