// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/mirrored_fields.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;

namespace {

Result<std::vector<MirroredArgument>> read(const char *schema) {
  return mirroredArguments(Json::parse(schema));
}

const char *const regional = R"({"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},
  "options":{"type":"object","properties":{"count":{"type":"integer","x-mcp-header":"Count"}}},
  "x-mcp-header":{"type":"string"}}})";

bool agrees(const std::vector<HttpField> &fields, const char *arguments) {
  HttpRequest request;
  request.fields = fields;
  const auto mirrored = read(regional);
  return !findMirrorMismatch(request, Json::parse(arguments), *mirrored);
}

} // namespace

TEST_CASE("annotations are found where only properties lead to") {
  const auto found = read(regional);
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK((*found)[0].field == "Mcp-Param-Region");
  CHECK((*found)[1].path == std::vector<std::string>{"options", "count"});
  CHECK(read(R"({"default":{"x-mcp-header":1}})"));
  CHECK(read(R"({"$defs":{"x-mcp-header":{"type":"string"}}})"));
  for (const char *wrong :
       {R"({"properties":{"a":{"type":"string","x-mcp-header":""}}})",
        R"({"properties":{"a":{"type":"string","x-mcp-header":"My Region"}}})",
        R"({"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}})",
        R"({"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]})",
        R"({"type":"string","x-mcp-header":"A"})",
        R"({"properties":{"a":{"type":"string","x-mcp-header":"A"},
            "b":{"type":"string","x-mcp-header":"a"}}})"})
    CHECK_FALSE(read(wrong));
}

TEST_CASE("a field says what the argument says, or the call is refused") {
  CHECK(agrees({}, "{}"));
  CHECK(agrees({}, R"({"region":null})"));
  CHECK(agrees({{"mcp-param-region", "west"}}, R"({"region":"west"})"));
  CHECK(agrees({{"mcp-param-region", "=?base64?w6k=?="}}, R"({"region":"é"})"));
  CHECK(agrees({{"mcp-param-count", "42.0"}}, R"({"options":{"count":42}})"));
  CHECK_FALSE(agrees({}, R"({"region":"west"})"));
  CHECK_FALSE(agrees({{"mcp-param-region", "east"}}, R"({"region":"west"})"));
  CHECK_FALSE(agrees({{"mcp-param-region", "west"}}, "{}"));
  CHECK_FALSE(agrees({{"mcp-param-region", "=?base64?#?="}}, R"({"region":"west"})"));
  CHECK_FALSE(agrees({{"mcp-param-count", "43"}}, R"({"options":{"count":42}})"));
  CHECK(agrees({{"mcp-param-count", "9007199254740993"}},
               R"({"options":{"count":9007199254740993}})"));
  CHECK_FALSE(agrees({{"mcp-param-count", "9007199254740992"}},
                     R"({"options":{"count":9007199254740993}})"));
  CHECK_FALSE(
      agrees({{"mcp-param-region", "west"}, {"mcp-param-region", "west"}}, R"({"region":"west"})"));
}
