// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "schema.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("a configuration against its schema is refused with the path of every violation") {
  const std::string schema =
      R"({"type":"object","properties":{"n":{"type":"integer"},"l":{"type":"array","items":{"type":"string"}}},"required":["n"],"additionalProperties":false})";
  CHECK(checkAgainstSchema(schema, R"({"n":1,"l":["a"]})"));
  const Status wrong = checkAgainstSchema(schema, R"({"n":"x","l":[1]})");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.failure().message.find("[n]") != std::string::npos);
  CHECK(wrong.failure().message.find("[l][0]") != std::string::npos);
  CHECK_FALSE(checkAgainstSchema(schema, R"({"n":1,"other":1})"));
  CHECK_FALSE(checkAgainstSchema("{not json", "{}"));
}
