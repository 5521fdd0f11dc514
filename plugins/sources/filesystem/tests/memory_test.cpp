// SPDX-License-Identifier: Apache-2.0
// A separate program, because it replaces operator new.
#include "catch2.hpp"
#include "failing_memory.hpp"
#include "filesystem/walk.hpp"
#include "fixture.hpp"

#include <new>

using namespace skillhost;
using namespace skillhost::filesystem;
using namespace skillhost::filesystem::test;

TEST_CASE("a walk without memory throws, and leaves no thread behind") {
  const Tree tree;
  constexpr std::size_t skills = 60; // enough for a second thread
  for (std::size_t i = 0; i < skills; ++i) tree.skill("skill-" + std::to_string(i));
  skh_host lent{};
  lent.log = [](const skh_host *, std::int32_t, skh_str) noexcept {};
  const Settings settings(R"({"directories":[")" + tree.at() + R"("],"watch":"off","threads":2})");
  Warnings warnings{skh::Host(&lent)};
  Watches watches(WatchMode::off, warnings);
  Trouble trouble;
  const std::vector<std::shared_ptr<const Root>> roots{openRoot(
      settings.directories.front(), nullptr, MissingDirectory::Fail, watches, warnings, trouble)};
  for (const Lack lack : {Lack::Once, Lack::Lasting}) {
    std::size_t whole = 0, thrown = 0;
    const std::size_t count = failEachAllocation(lack, [&] {
      const Checkpoint checkpoint = [] {};
      ScanContext context{settings, watches, warnings, checkpoint, 0};
      try {
        whole += Walk(context).run(roots).size() == skills + 1 ? 1 : 0;
      } catch (const std::bad_alloc &) {
        ++thrown;
      }
    });
    CHECK(count > 0);
    CHECK(thrown > 0);
    // A walk that only lacks a second thread must be complete.
    CHECK(whole + thrown == count + 1);
  }
}
