// SPDX-License-Identifier: Apache-2.0
// Tests which program a configuration makes a plugin start, according to its schema.
#include "catch2.hpp"
#include "started_program.hpp"

#include <string>

using skillhost::startedProgram;

TEST_CASE("a schema that says nothing, or nonsense, names no program") {
  CHECK(startedProgram("", "{}").empty());
  CHECK(startedProgram(R"({"type": "object"})", "{}").empty());
  for (const char *said : {"7", "[7]", "[{}]", R"([{"program": 7, "when": {}}])",
                           R"([{"program": "x"}])", R"({"program": "x"})"})
    CHECK(startedProgram(std::string(R"({"x-starts-program": )") + said + "}", "{}").empty());
  CHECK(startedProgram(R"({"x-starts-program": [{"program": "x", "when": {}}]})", "{}") == "x");
}
