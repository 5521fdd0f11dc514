// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "typescript.hpp"

using namespace skillhost;

namespace {

// Returns the right-hand side of the only type, or everything if there are more.
std::string typeOf(const char *schema) {
  const Json json = Json::parse(schema);
  TypeScript types;
  types.add("a", "", json);
  std::string text = types.text();
  const std::string opening = "export type A = ";
  const std::size_t at = text.find(opening);
  const std::size_t end = text.rfind(";\n\n");
  if (at == std::string::npos || text.find("export", at + 1) != std::string::npos) return text;
  return text.substr(at + opening.size(), end - at - opening.size());
}

struct Case {
  const char *schema, *type;
};

} // namespace

TEST_CASE("each construct has its type") {
  const Case one = GENERATE(
      Case{R"({"type":"string"})", "string"}, Case{R"({"type":"integer"})", "number"},
      Case{R"({"type":["string","null"]})", "string | null"},
      Case{R"({"type":"number","nullable":true})", "number | null"}, Case{"true", "unknown"},
      Case{"false", "never"}, Case{"{}", "unknown"}, Case{"5", "unknown"},
      Case{R"({"type":"text"})", "unknown"},
      Case{R"({"enum":["a","b\"",1,null]})", R"("a" | "b\"" | 1 | null)"},
      Case{R"({"const":{"a":[1,true]}})", "{ a: [1, true] }"},
      Case{R"({"type":"array","items":{"type":"string"}})", "string[]"},
      Case{R"({"type":"array"})", "unknown[]"},
      Case{R"({"type":"array","items":{"enum":[1,2]}})", "(1 | 2)[]"},
      Case{
          R"({"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"minItems":1,"items":false})",
          "[string, number?]"},
      Case{
          R"({"type":"array","items":[{"type":"string"}],"additionalItems":{"type":"null"},"minItems":1})",
          "[string, ...null[]]"},
      Case{R"({"anyOf":[{"type":"string"},{"type":"array","items":{}},{"type":"string"}]})",
           "string | unknown[]"},
      Case{R"({"oneOf":[{"type":"string"},{}]})", "unknown"},
      Case{R"({"allOf":[{"enum":[1,2]},{"type":"number"},{}]})", "(1 | 2) & number"},
      Case{R"({"type":"object"})", "{\n  [key: string]: unknown;\n}"},
      Case{R"({"type":"object","additionalProperties":false})", "{\n  [key: string]: never;\n}"},
      Case{R"({"type":"object","additionalProperties":{"type":"number"}})",
           "{\n  [key: string]: number;\n}"},
      Case{R"({"properties":{"a-b":{"type":"string"},"c":true},"required":["a-b","d"]})",
           "{\n  \"a-b\": string;\n  c?: unknown;\n  d: unknown;\n}"},
      Case{R"({"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}})",
           "{\n  a?: string;\n  [key: string]: unknown;\n}"},
      Case{R"({"$ref":"https://example.com/elsewhere"})", "unknown"},
      Case{R"({"$ref":"#/nowhere"})", "unknown"});
  CHECK(typeOf(one.schema) == one.type);
}

TEST_CASE("what refers to itself does so by name") {
  CHECK(typeOf(R"({"type":"object","properties":{"next":{"$ref":"#"}}})") == "{\n  next?: A;\n}");
  const std::string text = typeOf(
      R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}})");
  CHECK(text.find("export type A = ANode;") != std::string::npos);
  CHECK(text.find("all?: ANode[];") != std::string::npos);
}

TEST_CASE("a circle that would be no type is cut") {
  CHECK(typeOf(R"({"$ref":"#"})") == "unknown");
  const std::string text = typeOf(
      R"({"anyOf":[{"$ref":"#/$defs/b"},{"type":"string"}],"$defs":{"b":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}})");
  CHECK(text.find("export type A = unknown;") != std::string::npos);
  CHECK(text.find("export type AB = unknown;") != std::string::npos);
}

TEST_CASE("references lead by anchor, by identifier and by pointer with escapes") {
  CHECK(typeOf(R"({"properties":{"a":{"$ref":"#x"}},"$defs":{"q":{"$anchor":"x","type":"null"}}})")
            .find("export type AX = null;") != std::string::npos);
  CHECK(
      typeOf(
          R"({"$id":"urn:me","properties":{"a":{"$ref":"urn:me#/$defs/q~1r%20s"}},"$defs":{"q/r s":{"type":"null"}}})")
          .find("= null;") != std::string::npos);
}

TEST_CASE("comments say what a type cannot, and cannot be left") {
  const std::string text = typeOf(
      R"({"type":"object","properties":{"a":{"type":"string","description":"ends */ here\nand goes on","default":"x","format":"date"}}})");
  CHECK(text.find("ends *\\/ here") != std::string::npos);
  CHECK(text.find("   * and goes on\n") != std::string::npos);
  CHECK(text.find("@format date") != std::string::npos);
  CHECK(text.find("@default \"x\"") != std::string::npos);
}

TEST_CASE("names of types are identifiers and differ") {
  const Json schema = Json::parse(R"({"type":"null"})");
  TypeScript types;
  CHECK(types.add("create-issue", "Arguments", schema) == "CreateIssueArguments");
  CHECK(types.add("createIssue", "Arguments", schema) == "CreateIssueArguments_2");
  CHECK(types.add("7 zip", "", schema) == "T7Zip");
  CHECK(types.add("../\xE2\x80\xAE", "", schema) == "Type");
}

TEST_CASE("the depth of a schema is bounded") {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += R"({"type":"array","items":)";
  deep += "{}" + std::string(100, '}');
  CHECK(typeOf(deep.c_str()).find("unknown[][]") == 0);
}
