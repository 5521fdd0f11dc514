// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/characters.hpp"
#include "keyword/index.hpp"
#include "keyword/snippet.hpp"

using namespace skillhost::keyword;

namespace {

std::string snippet(std::string_view description, std::string_view body, std::string_view query) {
  Index index({});
  index.put({"a", "needle", description, body, {}});
  index.commit("g");
  const std::vector<Hit> hits = index.query(query, {}, 1);
  return hits.empty() ? "no hit" : hits.front().snippet;
}

bool wholeCharacters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character here = characterAt(text, at);
    if (here.code == 0xFFFD) return false;
    at += here.size;
  }
  return true;
}

std::string repeat(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

} // namespace

TEST_CASE("a short description is its own snippet, with white space collapsed") {
  CHECK(snippet("  Reads\n\n PDF\tfiles. ", "", "pdf") == "Reads PDF files.");
  CHECK(snippet("bell\x07 and\x01 nul", "", "needle") == "bell and nul");
  CHECK(snippet("", "", "needle").empty());
  CHECK(snippet(" \n ", "", "needle").empty());
}

TEST_CASE("a long text is cut around what was looked for") {
  const std::string text = repeat("some words before ", 40) + "the magnetometer readings " +
                           repeat("some words after ", 40);
  const std::string found = snippet(text, "", "magnetometer");
  CHECK(found.size() <= longestSnippet);
  CHECK(found.find("magnetometer readings") != std::string::npos);
  CHECK(found.rfind("... ", 0) == 0);
  CHECK(found.substr(found.size() - 4) == " ...");
  // The snippet has whole words only: the text has the part between the marks between spaces.
  const std::string inner = found.substr(4, found.size() - 8);
  CHECK((" " + text).find(" " + inner + " ") != std::string::npos);
}

TEST_CASE("the body is shown where it fits better, otherwise the description") {
  const std::string body = repeat("filler text here ", 60) + "calibrate the magnetometer twice";
  CHECK(snippet("Works with sensors.", body, "magnetometer").find("calibrate the magnetometer") !=
        std::string::npos);
  CHECK(snippet("Works with sensors.", body, "sensors") == "Works with sensors.");
  CHECK(snippet("", "Only a body.", "needle") == "Only a body.");
}

TEST_CASE("no character is ever cut in two") {
  for (const std::string_view piece : {"é", "天気", "\U0001F600", "aé ", "天気 "}) {
    for (int lead = 0; lead < 6; ++lead) {
      const std::string text = std::string(static_cast<std::size_t>(lead), 'x') + " " +
                               repeat(piece, 300) + " needles " + repeat(piece, 300);
      const std::string found = snippet(text, "", "needles");
      INFO(found);
      CHECK(found.size() <= longestSnippet);
      CHECK(wholeCharacters(found));
      CHECK(found.find("needles") != std::string::npos);
    }
  }
}

TEST_CASE("bytes that are not UTF-8 do not get into a snippet") {
  const std::string found = snippet("good \xFF\xFE needles \xC3", "", "needles");
  CHECK(found == "good needles");
}
