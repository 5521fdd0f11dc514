// SPDX-License-Identifier: Apache-2.0
// Generates entries that depend only on their number and revision, and compares two indexes.
#pragma once

#include "catch2.hpp"
#include "keyword/index.hpp"

#include <map>
#include <random>
#include <string>

namespace entries {

using skillhost::keyword::Hit;
using skillhost::keyword::Index;

inline std::string idOf(int number) { return "id" + std::to_string(number); }

inline std::string wordsOf(std::mt19937 &random, int count) {
  static const char *const words[] = {"air",     "quality",  "forecast", "pdf",      "document",
                                      "table",   "deploy",   "azure",    "health",   "care",
                                      "weather", "database", "query",    "optimise", "review",
                                      "code",    "release",  "notes",    "image",    "convert"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += words[random() % std::size(words)];
    text += random() % 12 == 0 ? ". " : " ";
  }
  return text;
}

inline void put(Index &index, int number, int revision) {
  std::mt19937 random(static_cast<unsigned>(number * 1000 + revision));
  // Some names are run together, and some words disappear with their entry.
  const std::string name = number % 3 == 0   ? "airqualityforecast"
                           : number % 3 == 1 ? "healthcare" + std::to_string(number)
                                             : wordsOf(random, 2);
  const std::string description =
      wordsOf(random, 5 + static_cast<int>(random() % 20)) + "rare" + std::to_string(revision % 7);
  const std::string body = number % 5 == 4 ? "" : wordsOf(random, static_cast<int>(random() % 200));
  const std::string attributes = R"({"source":"s)" + std::to_string(number % 2) +
                                 R"(","keywords":["releasenotes","k)" +
                                 std::to_string(revision % 3) + R"("]})";
  index.put({idOf(number), name, description, body, attributes, std::to_string(revision)});
}

using Held = std::map<std::string, std::string>; // revision by id

inline Held heldBy(const Index &index) {
  Held held;
  const auto visible = index.snapshot();
  visible->forEach([&](std::size_t place) {
    const skillhost::keyword::Entry entry = visible->entry(place);
    held.emplace(entry.id, entry.revision);
  });
  return held;
}

// Builds an index from exactly these entries, in one commit.
inline std::unique_ptr<Index> freshOf(const Held &held) {
  auto index = std::make_unique<Index>(skillhost::keyword::Options{});
  for (const auto &[id, revision] : held) put(*index, std::stoi(id.substr(2)), std::stoi(revision));
  index->commit("fresh");
  return index;
}

inline void checkSame(const Index &left, const Index &right) {
  for (const char *question : {"air quality", "forecast of the weather",
                               "convert pdf documents. review the release notes. "
                               "deploy to azure",
                               "healthcare", "rare3", "qualty databse", "k1 code"}) {
    for (const char *filter : {"", R"({"source":["s1"]})"}) {
      INFO(question << " " << filter);
      const std::vector<Hit> one = left.query(question, filter, 30);
      const std::vector<Hit> two = right.query(question, filter, 30);
      REQUIRE(one.size() == two.size());
      for (std::size_t i = 0; i < one.size(); ++i) {
        INFO(i);
        REQUIRE(one[i].id == two[i].id);
        REQUIRE(one[i].score == two[i].score);
        REQUIRE(one[i].snippet == two[i].snippet);
      }
    }
  }
}

} // namespace entries
