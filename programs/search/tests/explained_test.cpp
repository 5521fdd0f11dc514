// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "explained.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;
using namespace skillhost::app;

namespace {

using Lines = std::vector<std::string>;

Lines linesOf(const std::string &text) { return explainedLines(Json::parse(text)); }

} // namespace

TEST_CASE("an explanation is lines for people, in one order") {
  CHECK(linesOf(R"({"missing":["please","quux"],"score":1.25,
                    "words":[{"word":"Merging","stem":"merg","score":1,"share":0.8,
                              "fields":{"name":1,"body":3},
                              "field_scores":{"name":0.75,"body":0.25}},
                             {"word":"air","stem":"air","score":0.1,"share":0.08,"fields":{}}],
                    "similarity":{"runs":2,"score":0.15,"share":0.12},
                    "sentences":[{"text":"One.\nTwo","score":0.5}],
                    "meaning":{"cosine":0.5,"whole":0.4,
                               "best_sentence":{"text":"One.","cosine":0.6}},
                    "fusion":{"words":0.5,"meaning":0.4,"score":0.9},
                    "name":"a plural",
                    "calibrated":{"score":0.97,"strength":0.5,"coverage":1,"cosine":0.25},
                    "of_its_own":{"a":1}})") ==
        Lines{"score       1.250", "calibrated  0.970 of 1",
              "            strength 0.500, coverage 1.000, nearest cosine 0.250",
              "name        asked for: a plural",
              "words       Merging as merg: 1.000 (80 %); name 1 (0.750), body 3 (0.250)",
              "            air: 0.100 (8 %); part of a longer word of the name",
              "missing     please, quux", "similarity  2 runs of letters in common: 0.150 (12 %)",
              "sentences   0.500  One. Two", "meaning     cosine 0.500, whole question 0.400",
              "            best sentence 0.600  One.",
              "fusion      words 0.500 + meaning 0.400 = 0.900", "of_its_own  {\"a\":1}"});
  CHECK(linesOf("{}").empty());
  CHECK(linesOf(R"({"missing":[],"words":[],"sentences":[],"similarity":{"runs":0}})").empty());
  CHECK(linesOf(R"({"meaning":{"missing":"it has no vector yet"}})") ==
        Lines{"meaning     it has no vector yet"});
}

TEST_CASE("what has another form is shown as it is, and none of it speaks to the terminal") {
  CHECK(
      linesOf(R"({"score":"high","words":{"a":[1]},"missing":[1],"fusion":3,"meaning":{"whole":"x"},
                    "sentences":[{}],"similarity":null})") ==
      Lines{"score       \"high\"", "words       {\"a\":[1]}", "missing     [1]",
            "similarity  null", "sentences   [{}]", "meaning     {\"whole\":\"x\"}",
            "fusion      3"});
  for (const std::string &line :
       linesOf(R"({"words":[{"word":"a\u001b[2J","stem":"\u202eb","fields":{"n\u0007":1}}],
                   "missing":["\u009b"],"\u001bx":"\u001by"})")) {
    CAPTURE(line);
    CHECK(line.find('\x1b') == std::string::npos);
    CHECK(line.find('\x07') == std::string::npos);
    CHECK(line.find("\u202e") == std::string::npos);
    CHECK(line.find("\u009b") == std::string::npos);
  }
  // Long texts are cut at the end of a character.
  const Lines cut = linesOf(R"({"more":")" + std::string(79, 'a') + "\u00e9\u00e9" + "\"}");
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].ends_with(" …"));
}
