// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/filter.hpp"

#include <stdexcept>

using namespace skillhost::keyword;

TEST_CASE("a filter accepts an entry that has one of the values of every attribute named") {
  const Attributes attributes = parseAttributes(
      R"({"source":"team","category":"docs","keywords":["pdf","text"],"rank":3,"old":null})");
  const auto accepts = [&](const char *json) { return Filter(json).accepts(attributes); };
  CHECK(accepts(""));
  CHECK(accepts("{}"));
  CHECK(accepts(R"({"source":["team"]})"));
  CHECK(accepts(R"({"source":["other","team"]})"));
  CHECK(accepts(R"({"source":["team"],"category":["docs"]})"));
  CHECK(accepts(R"({"keywords":["text"]})"));
  CHECK_FALSE(accepts(R"({"source":["Team"]})"));
  CHECK_FALSE(accepts(R"({"source":["team"],"category":["code"]})"));
  CHECK_FALSE(accepts(R"({"unknown":["team"]})"));
  CHECK_FALSE(accepts(R"({"source":[]})"));
  CHECK_FALSE(accepts(R"({"rank":["3"]})"));
}

TEST_CASE("a malformed filter is refused by name") {
  for (const char *json : {"[", "[]", "1", "null", "\"source\"", R"({"source":"team"})",
                           R"({"source":[1]})", R"({"source":null})", "{} {}", "\xFF"}) {
    INFO(json);
    CHECK_THROWS_AS(Filter(json), std::invalid_argument);
  }
  try {
    const Filter filter(R"({"source":"team"})");
    FAIL("accepted");
  } catch (const std::invalid_argument &error) {
    CHECK(std::string(error.what()).find("source") != std::string::npos);
  }
  CHECK_THROWS_AS(parseAttributes("[]"), std::invalid_argument);
  CHECK(parseAttributes("").empty());
}
