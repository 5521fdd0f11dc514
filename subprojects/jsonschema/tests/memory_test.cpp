// SPDX-License-Identifier: Apache-2.0
// Makes each allocation fail in turn while a document is compared with a schema.
#include "catch2.hpp"
#include "failing_memory.hpp"
#include "jsonschema/schema.hpp"

#include <new>
#include <string>

using namespace skillhost;

TEST_CASE("without memory a schema is not applied, and the process goes on") {
  const std::string schema =
      R"({"type":"object","required":["a name that needs memory of its own"],
          "additionalProperties":false,"dependencies":{"n":["s"]},
          "properties":{"a name that needs memory of its own":{"type":["string","null"]},
            "n":{"type":"integer","minimum":1},"s":{"enum":["one","two"],"pattern":"^(one|two)$"},
            "l":{"type":"array","items":{"type":"string"},"uniqueItems":true},
            "o":{"anyOf":[{"type":"string"},{"type":"object","minProperties":1}]}}})";
  const std::string config =
      R"({"a name that needs memory of its own":"x","n":1,"s":"one","l":["a","b"],"o":{"k":1}})";
  for (const Lack lack : {Lack::Once, Lack::Lasting}) {
    std::size_t whole = 0, thrown = 0;
    const std::size_t count = failEachAllocation(lack, [&] {
      try {
        const Result<SettingProblems> problems = checkAgainstSchema(schema, config);
        whole += problems && problems->empty() ? 1 : 0;
      } catch (const std::bad_alloc &) {
        ++thrown;
      }
    });
    CHECK(count > 0);
    CHECK(whole >= 1);
    CHECK(thrown > 0);
  }
}
