// SPDX-License-Identifier: Apache-2.0
// Tests how the tool of reviewers describes itself.
#include "catch2.hpp"
#include "ground/json.hpp"
#include "review_skill.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;

TEST_CASE("the tool of reviewers is for them alone, and its schemas are JSON") {
  CHECK(reviewTool.name == "review_skill");
  CHECK(reviewTool.need == Permission::Review);
  CHECK_FALSE(reviewTool.readOnly);
  CHECK(Json::accept(reviewTool.inputSchema));
  CHECK(Json::accept(reviewTool.dataSchema));
  CHECK(reviewTool.description.size() < 1024);
}
