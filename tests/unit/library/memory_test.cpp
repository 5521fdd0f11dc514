// SPDX-License-Identifier: Apache-2.0
// Tests that a refresh of a source that lacks memory ends, and that the next one succeeds.
#include "catch2.hpp"
#include "failing_memory.hpp"
#include "library_fixture.hpp"
#include "source_tracker.hpp"

#include <cstddef>
#include <memory>

using namespace library_test;

namespace {

// Waits until so many refreshes have ended; false if that takes too long.
bool hasEnded(const SourceTracker &tracker, std::uint64_t refreshes) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (tracker.finished() < refreshes) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

} // namespace

TEST_CASE("whichever allocation fails after an entry was read, the next refresh has all skills") {
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  const Json documents{document("a", "SKILL.md", skillText("a")),
                       document("b", "SKILL.md", skillText("b")),
                       document("c", "SKILL.md", skillText("c"))};
  auto made = plugins.makeSource({"s", "scripted", Json{{"documents", documents}}.dump(), {}});
  REQUIRE(made);
  const std::shared_ptr<Source> source = *std::move(made);
  for (std::size_t successes = 0;; ++successes) {
    CAPTURE(successes);
    // Memory is short from the last entry until the refresh ends, all on one thread of the source.
    // The plugin of the test, which parses JSON, never lacks it.
    std::atomic<bool> isFirst{true};
    const std::size_t before = failedAllocations();
    const auto tracker = std::make_shared<SourceTracker>(
        source, std::make_shared<const SkillRules>(), CancelToken(), [] { haveMemory(); },
        [](std::chrono::milliseconds) {}, [](std::uint64_t, std::uint64_t, std::string_view) {},
        nullptr,
        [&](const Skill &skill, std::string_view) {
          if (skill.path == "c" && isFirst.exchange(false)) lackMemory(successes, Lack::Once);
        });
    tracker->refresh(true);
    REQUIRE(hasEnded(*tracker, 1));
    const std::uint64_t next = tracker->nextRefreshNumber();
    tracker->refresh(true);
    REQUIRE(hasEnded(*tracker, next));
    const SourceResult result = tracker->result();
    CHECK(result.failure == "");
    REQUIRE(result.skills);
    REQUIRE(result.skills->skills.size() == 3);
    if (failedAllocations() != before) continue;
    CHECK(successes > 5); // control: the failures were in the refresh
    break;
  }
  source->stop();
}
