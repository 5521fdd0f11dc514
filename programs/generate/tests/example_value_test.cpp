// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "example_value.hpp"

using namespace skillhost;

namespace {

struct ExampleCase {
  const char *schema, *value;
};
struct FitCase {
  const char *schema, *value;
  Fit fit;
};

Fit fitOf(const char *schema, const char *value) {
  const Json json = Json::parse(schema);
  const SchemaDocument document(json);
  return SchemaCheck(document).check(json, Json::parse(value));
}

} // namespace

TEST_CASE("an example fits its schema") {
  const ExampleCase one = GENERATE(
      ExampleCase{
          R"({"type":"object","properties":{"b":{"type":"integer","minimum":5},"a":{"type":"string"}},"required":["b"]})",
          R"({"b":5})"},
      ExampleCase{R"({"type":"object","properties":{"a":{"type":"string","format":"date"}}})",
                  R"({"a":"2025-01-31"})"},
      ExampleCase{R"({"type":"object"})", "{}"}, ExampleCase{R"({"enum":["x","y"]})", R"("x")"},
      ExampleCase{R"({"type":"string","default":5,"examples":[7,"good"]})", R"("good")"},
      ExampleCase{R"({"type":"string","minLength":9,"maxLength":9})", R"("examplexx")"},
      ExampleCase{R"({"type":"string","maxLength":2})", R"("ex")"},
      ExampleCase{R"({"type":"integer","exclusiveMinimum":3,"multipleOf":5})", "5"},
      ExampleCase{R"({"type":"number","maximum":-1.5})", "-1.5"},
      ExampleCase{R"({"type":"array","items":{"type":"string"},"minItems":2,"uniqueItems":true})",
                  R"(["example","example 2"])"},
      ExampleCase{R"({"type":"array","prefixItems":[{"const":1},{"type":"boolean"}]})", "[1,true]"},
      ExampleCase{R"({"anyOf":[false,{"type":"null"}]})", "null"},
      ExampleCase{
          R"({"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"type":"string"}}})",
          R"({"a":"example"})"},
      ExampleCase{
          R"({"allOf":[{"$ref":"#/$defs/x"},{"properties":{"k":{"const":"v"}}}],"$defs":{"x":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}}})",
          R"({"k":"v"})"});
  CAPTURE(one.schema);
  const ExampleValue example = exampleValue(Json::parse(one.schema));
  CHECK(example.fit == Fit::Yes);
  CHECK(example.value.dump() == Json::parse(one.value).dump());
}

TEST_CASE("where no example is known to fit, that is said") {
  CHECK(exampleValue(Json::parse(R"({"type":"string","pattern":"^[a-f]{40}$"})")).fit ==
        Fit::Unsure);
  CHECK(exampleValue(Json::parse(R"({"allOf":[{"type":"string"},{"type":"null"}]})")).fit ==
        Fit::No);
  CHECK(exampleValue(
            Json::parse(R"({"type":"object","properties":{"n":{"$ref":"#"}},"required":["n"]})"))
            .fit != Fit::Yes);
}

TEST_CASE("a check knows the rules") {
  const FitCase one = GENERATE(
      FitCase{R"({"type":"integer"})", "1.0", Fit::Yes},
      FitCase{R"({"type":"integer"})", "1.5", Fit::No}, FitCase{R"({"minimum":2})", "1", Fit::No},
      FitCase{R"({"minimum":2})", R"("1")", Fit::Yes},
      FitCase{R"({"maximum":2,"exclusiveMaximum":true})", "2", Fit::No},
      FitCase{R"({"required":["a"]})", "{}", Fit::No},
      FitCase{R"({"additionalProperties":false,"properties":{"a":{}}})", R"({"b":1})", Fit::No},
      FitCase{R"({"oneOf":[{"type":"number"},{"type":"integer"}]})", "1", Fit::No},
      FitCase{R"({"not":{"type":"string"}})", R"("a")", Fit::No},
      FitCase{R"({"if":{"const":1},"then":{"minimum":2},"else":{"minimum":0}})", "1", Fit::No},
      FitCase{R"({"uniqueItems":true})", "[1,1]", Fit::No},
      FitCase{R"({"items":{"type":"string"}})", R"(["a",1])", Fit::No},
      FitCase{R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})", Fit::No},
      FitCase{R"({"pattern":"(a+)+$"})", R"("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")", Fit::Unsure},
      FitCase{R"({"$ref":"#"})", "1", Fit::Unsure},
      FitCase{R"({"$ref":"https://a"})", "1", Fit::Unsure});
  CAPTURE(one.schema, one.value);
  CHECK(fitOf(one.schema, one.value) == one.fit);
}

TEST_CASE("a schema that unfolds without end is looked at for a while") {
  CHECK(fitOf(R"({"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]})", "1") == Fit::Unsure);
}
