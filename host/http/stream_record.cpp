// SPDX-License-Identifier: Apache-2.0
#include "stream_record.hpp"

#include "ground/json_member.hpp"
#include "ground/json_text.hpp"

#include <nlohmann/json.hpp>

#include <ranges>

namespace skillhost {
namespace {

constexpr std::uint64_t streamVersion = 1;
constexpr std::size_t around = 512; // bytes, of the record without its events
constexpr std::size_t longestAudience = 128, mostRead = 1U << 20U;

std::string eventText(const std::pair<std::uint64_t, std::string> &event) {
  std::string text = "[" + std::to_string(event.first) + ',';
  appendJsonString(text, event.second);
  return text + ']';
}

// As a JSON array, of those that fit, from the last back.
std::string eventsText(const StreamRecord &record) {
  std::vector<std::string> texts;
  std::size_t bytes = around;
  for (const auto &event : std::views::reverse(record.events)) {
    std::string text = eventText(event);
    bytes += text.size() + 1;
    if (bytes > StreamRecord::largest) break;
    texts.push_back(std::move(text));
  }
  std::string all = "[";
  for (const std::string &text : std::views::reverse(texts)) {
    if (all.size() > 1) all += ',';
    all += text;
  }
  return all + ']';
}

bool readEvents(const Json &events, StreamRecord &out) {
  if (!events.is_array()) return false;
  for (const Json &one : events) {
    if (!one.is_array() || one.size() != 2 || !one[0].is_number_unsigned() || !one[1].is_string())
      return false;
    const auto number = one[0].get<std::uint64_t>();
    if (!out.events.empty() && number <= out.events.back().first) return false;
    out.events.emplace_back(number, one[1].get<std::string>());
  }
  return true;
}

} // namespace

std::string StreamRecord::text() const {
  std::string text = R"({"version":)" + std::to_string(streamVersion) + R"(,"audience":)";
  appendJsonString(text, audience);
  text += R"(,"manages":)" + std::string(manages ? "true" : "false");
  text += R"(,"finished":)" + std::string(finished ? "true" : "false");
  return text + R"(,"events":)" + eventsText(*this) + '}';
}

Result<StreamRecord> StreamRecord::read(std::string_view text) {
  const Failure corrupt{Fault::Corrupt, "this is not the record of a stream"};
  if (text.size() > mostRead) return corrupt;
  const auto json = readJsonObject(text, 4);
  if (!json) return corrupt;
  if (memberOf(*json, "version") != streamVersion || !memberOf(*json, "audience").is_string() ||
      !memberOf(*json, "manages").is_boolean() || !memberOf(*json, "finished").is_boolean())
    return corrupt;
  StreamRecord record;
  record.audience = memberOf(*json, "audience").get<std::string>();
  record.manages = memberOf(*json, "manages").get<bool>();
  record.finished = memberOf(*json, "finished").get<bool>();
  if (record.audience.size() > longestAudience || !readEvents(memberOf(*json, "events"), record))
    return corrupt;
  return record;
}

} // namespace skillhost
