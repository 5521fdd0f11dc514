// SPDX-License-Identifier: Apache-2.0
// Tests a source's facts of its skills, by the rules of facts.h.
#include "catch2.hpp"
#include "skill_facts.hpp"

using namespace skillhost;

namespace {

SkillFacts read(const std::string &text, const std::string &complaint = {}) {
  std::string heard;
  SkillFacts facts = readFacts(text, heard);
  if (complaint.empty())
    CHECK(heard.empty());
  else
    CHECK(heard.find(complaint) != std::string::npos);
  return facts;
}

} // namespace

TEST_CASE("facts are kept as they were told") {
  CHECK(read("{}").empty());
  CHECK(
      read(
          R"({"team/pdf": {"signature": "trusted", "checked": true, "age.days": 3}, "csv": {}})") ==
      SkillFacts{{"team/pdf", R"({"signature":"trusted","checked":true,"age.days":3})"}});
}

TEST_CASE("what breaks the rules is left out alone, and named") {
  CHECK(read("[]", "not a JSON object").empty());
  CHECK(read("{", "byte").empty());
  CHECK(read(R"({"a": 1, "b": {"x": "y"}})", "a: is not an object") ==
        SkillFacts{{"b", R"({"x":"y"})"}});
  const SkillFacts kept{{"a", R"({"good":1})"}};
  for (const char *bad : {R"("Bad":1)", R"("":1)", R"("bad":{})", R"("bad":[1])", R"("bad":null)",
                          R"("-bad":1)", R"("a b":1)"})
    CHECK(read(R"({"a":{"good":1,)" + std::string(bad) + "}}", "is not a valid fact") == kept);
  const std::string longest(1000, 'x');
  CHECK(read(R"({"a":{"text":")" + longest + R"("}})").size() == 1);
  CHECK(read(R"({"a":{"text":")" + longest + R"(x"}})", "is not a valid fact").empty());
  std::string many;
  for (int i = 0; i < 17; ++i) many += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + "\":1";
  CHECK(read(R"({"a":{)" + many + "}}", "f16").at("a").find("f15") != std::string::npos);
}

TEST_CASE("what is said of all skills is said once") {
  CHECK(read(R"({"*": {"kind": "git", "path": "."}, "a": {"path": "x", "signer": "b"}})") ==
        SkillFacts{{"*", R"({"kind":"git","path":"."})"}, {"a", R"({"path":"x","signer":"b"})"}});
  CHECK(read(R"({"a": {"kind": "oci", "x": 1}, "*": {"kind": "git"}})",
             "kind is already a fact of all") ==
        SkillFacts{{"*", R"({"kind":"git"})"}, {"a", R"({"x":1})"}});
  CHECK(read(R"({"*": 1, "a": {"kind": "oci"}})", "*: is not an object") ==
        SkillFacts{{"a", R"({"kind":"oci"})"}});
}
