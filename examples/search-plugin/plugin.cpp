// SPDX-License-Identifier: Apache-2.0
// Finds skills by the runs of three letters in their words, so that a question may be misspelt.
// This file connects the index to the host; the search itself is in index.cpp.
#include "index.hpp"

#include <skillhost/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace {

using Json = nlohmann::json;

constexpr std::size_t snippetBytes = 160;

// Reads the attributes that the host passes with an entry. Names that the plugin does not know are
// kept, since a filter may use them.
Attributes attributesFrom(std::string_view text) {
  Attributes attributes;
  const Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) return attributes;
  for (const auto &[name, value] : object.items()) {
    if (value.is_string()) attributes.emplace(name, value.get<std::string>());
    if (!value.is_array()) continue;
    for (const Json &one : value)
      if (one.is_string()) attributes.emplace(name, one.get<std::string>());
  }
  return attributes;
}

// Throws SKH_INVALID for a filter that cannot be read: to ignore it would return hits that it
// excludes.
Filter filterFrom(std::string_view text) {
  Filter filter;
  if (text.empty()) return filter;
  const Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) throw skh::Error(SKH_INVALID, "filter: is no JSON object");
  for (const auto &[name, values] : object.items()) {
    if (!values.is_array() ||
        !std::all_of(values.begin(), values.end(), [](const Json &one) { return one.is_string(); }))
      throw skh::Error(SKH_INVALID, "filter: " + name + " must be an array of strings");
    filter[name] = values.get<std::vector<std::string>>();
  }
  return filter;
}

// Returns the beginning of a text, cut between two characters of UTF-8.
std::string_view beginningOf(std::string_view text) {
  if (text.size() <= snippetBytes) return text;
  std::size_t end = snippetBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

class Fuzzy final : public skh::Search {
public:
  Fuzzy(skh::Host host, const skh::Call &)
      : host_(host), least_(skh::Config(host).number("least", 0.4)) {}

  // The host's texts are valid only until this returns, so the plugin copies everything that it
  // keeps.
  void put(const skh::Call &, const skh::EntryText &text) override {
    Entry entry{
        std::string(text.id), std::string(text.description), {}, attributesFrom(text.attributes)};
    std::string searched = std::string(text.name) + ' ' + entry.description;
    for (const auto &[name, value] : entry.attributes)
      if (name == "keywords") searched += ' ' + value;
    entry.trigrams = trigramsOf(searched);
    index_.put(std::move(entry));
  }
  void remove(const skh::Call &, std::string_view id) override { index_.remove(std::string(id)); }
  void commit(const skh::Call &, std::string_view generation) override {
    index_.commit(std::string(generation));
  }
  // The index is in memory only. That of a new instance is empty, so the host puts everything
  // again.
  std::string generation(const skh::Call &) override { return index_.generation(); }

  // Calls may overlap with each other and with every other function.
  void query(const skh::Call &call, std::string_view text, std::string_view filterJson,
             std::uint32_t limit, const skh::Hits &out) override {
    // point() throws when nobody waits for the result any more or the deadline has passed.
    const auto found =
        index_.find(text, filterFrom(filterJson), least_, limit, [&call] { call.point(); });
    for (const Found &one : found)
      out.add({one.entry->id, one.score, beginningOf(one.entry->description)});
    host_.count("queries");
  }

private:
  const skh::Host host_;
  const double least_;
  Index index_;
};

constexpr const char *schema = R"({
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "least": {
      "description": "What part of a question's runs of three letters a skill must have to be found.",
      "type": "number", "minimum": 0, "maximum": 1, "default": 0.4
    }
  }
})";

} // namespace

SKH_PLUGIN(skh::search<Fuzzy>("org.skillhost.example.fuzzy", "1.0.0",
                              "Finds skills though the question is misspelt", schema));
