// SPDX-License-Identifier: Apache-2.0
#include "base/trace_context.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/text.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

constexpr std::size_t traceDigits = 32, spanDigits = 16, length = 55;

bool isId(std::string_view text, std::size_t digits) {
  return isHexadecimal(text, digits) && text.find_first_not_of('0') != std::string_view::npos;
}

constexpr std::size_t maxStateBytes = 512, maxWordBytes = 256, maxEntries = 32;

// Checks the key of an entry: lower case, and at most one '@', between a tenant and its system.
bool isStateKey(std::string_view key) {
  const auto isSmall = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto isOther = [](char c) {
    return std::string_view("_-*/@").find(c) != std::string_view::npos;
  };
  if (key.empty() || key.size() > maxWordBytes || key.back() == '@') return false;
  if (!isSmall(key.front()) && !isDigit(key.front())) return false;
  return std::count(key.begin(), key.end(), '@') <= 1 &&
         std::all_of(key.begin(), key.end(),
                     [&](char c) { return isSmall(c) || isDigit(c) || isOther(c); });
}

bool isStateValue(std::string_view value) {
  return !value.empty() && value.size() <= maxWordBytes && value.back() != ' ' &&
         std::all_of(value.begin(), value.end(),
                     [](char c) { return c >= ' ' && c <= '~' && c != ',' && c != '='; });
}

} // namespace

std::optional<TraceContext> readTraceparent(std::string_view text) {
  // version "-" trace "-" parent "-" flags; a future version may add more behind another "-"
  if (text.size() < length || text[2] != '-' || text[35] != '-' || text[52] != '-')
    return std::nullopt;
  const std::string_view version = text.substr(0, 2), trace = text.substr(3, traceDigits),
                         parent = text.substr(36, spanDigits), flags = text.substr(53, 2);
  const bool isFirst = version == "00";
  if (!isHexadecimal(version, 2) || version == "ff" || !isHexadecimal(flags, 2))
    return std::nullopt;
  if (text.size() > length && (isFirst || text[length] != '-')) return std::nullopt;
  if (!isId(trace, traceDigits) || !isId(parent, spanDigits)) return std::nullopt;
  return TraceContext{std::string(trace), std::string(parent),
                      (hexadecimalDigit(flags[1]) & 1) != 0};
}

std::string_view readTracestate(std::string_view text) {
  const std::string_view state = trimmedSpacesAndTabs(text);
  if (state.size() > maxStateBytes) return {};
  std::array<std::string_view, maxEntries> keys;
  std::size_t count = 0;
  for (std::size_t at = 0; at < state.size();) {
    const std::size_t comma = std::min(state.find(',', at), state.size());
    const std::string_view entry = trimmedSpacesAndTabs(state.substr(at, comma - at));
    at = comma + 1;
    if (entry.empty()) continue; // the list may have empty entries
    const std::size_t sign = entry.find('=');
    if (count == maxEntries || sign == std::string_view::npos) return {};
    const std::string_view key = entry.substr(0, sign);
    if (!isStateKey(key) || !isStateValue(entry.substr(sign + 1))) return {};
    const auto *const end = keys.data() + count;
    if (std::find(static_cast<const std::string_view *>(keys.data()), end, key) != end) return {};
    keys[count++] = key;
  }
  return count == 0 ? std::string_view{} : state;
}

TracePointer traceFields(const TraceContext &context, std::string_view tracestate) {
  return std::make_shared<const TraceFields>(TraceFields{
      "00-" + context.traceId + '-' + context.parentId + (context.sampled ? "-01" : "-00"),
      std::string(readTracestate(tracestate))});
}

TracePointer clientTraceFields(std::string_view traceparent, std::string_view tracestate) {
  const std::optional<TraceContext> context = readTraceparent(traceparent);
  return context ? traceFields(*context, tracestate) : nullptr;
}

} // namespace skillhost
