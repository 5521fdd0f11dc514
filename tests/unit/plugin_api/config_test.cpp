// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include <skillhost/config.hpp>

namespace {

// Returns the message of the skh::Error that `body` throws, which must have SKH_INVALID; "" when it
// throws none.
template <class Body> std::string refusal(Body &&body) {
  try {
    body();
  } catch (const skh::Error &error) {
    CHECK(error.status() == SKH_INVALID);
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("what is there is read, what is not has its default") {
  const skh::Config config(
      R"({"text": "a", "number": 7, "half": 0.5, "on": true, "list": ["x", "y"],
                               "nothing": null})");
  CHECK(config.text("text") == "a");
  CHECK(config.integer("number") == 7);
  CHECK(config.integer("number", 1) == 7);
  CHECK(config.integer("nothing", 1) == 1);
  CHECK(config.number("half", 1) == 0.5);
  CHECK(config.flag("on", false));
  CHECK(config.texts("list") == std::vector<std::string>{"x", "y"});
  CHECK(config.texts("none").empty());
  CHECK(config.text("none", "fallback") == "fallback");
  CHECK_FALSE(config.has("none"));
}

TEST_CASE("what is required and what has another type is refused by its name") {
  const skh::Config config(R"({"text": "a", "number": 7})");
  CHECK(refusal([&] { config.integer("none"); }) == "none: is required and must be an integer");
  CHECK(refusal([&] { config.text("none"); }) == "none: is required and must be a string");
  CHECK(refusal([&] { config.integer("text"); }) == "text: must be an integer");
  CHECK(refusal([&] { config.text("number"); }) == "number: must be a string");
  CHECK(refusal([&] { config.texts("text"); }) == "text: must be a list of strings");
  for (const char *text : {"[]", "{", "1"})
    CHECK_FALSE(refusal([&] { const skh::Config broken{std::string_view(text)}; }).empty());
}
