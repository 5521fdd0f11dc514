// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "runtime/deadlines.hpp"

using namespace skillhost;
using namespace std::chrono_literals;

TEST_CASE("INV-MCP-TIMEOUT-002: tools of one category have one deadline") {
  Deadlines deadlines;
  deadlines.scan = 77ms;
  for (const char *tool : {"list_skills", "load_skill", "find_helpful_skills"})
    CHECK(deadlines.of(tool, ToolCategory::Query) == 10s);
  CHECK(deadlines.of("any", ToolCategory::Mutation) == 30s);
  CHECK(deadlines.of("any", ToolCategory::Scan) == 77ms);
  CHECK(deadlines.of("other", ToolCategory::Scan) == 77ms);
  CHECK(deadlines.of("any", ToolCategory::Execution) == 20min);
}

TEST_CASE("INV-MCP-TIMEOUT-003: a tool's own deadline comes before its category's") {
  Deadlines deadlines;
  deadlines.tools["load_skill"] = 5ms;
  CHECK(deadlines.of("load_skill", ToolCategory::Query) == 5ms);
  CHECK(deadlines.of("load_skill", ToolCategory::Scan) == 5ms);
  CHECK(deadlines.of("list_skills", ToolCategory::Query) == 10s);
}
