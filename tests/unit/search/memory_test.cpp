// SPDX-License-Identifier: Apache-2.0
// Tests that an update of the index that lacks memory ends, and that the next one succeeds.
#include "catch2.hpp"
#include "failing_memory.hpp"
#include "index_fixture.hpp"

#include <cstddef>
#include <new>
#include <string>

using namespace skillhost;

namespace {

void checkEachAllocation(Lack lack) {
  CAPTURE(lack == Lack::Lasting);
  Fixture f;
  f.attach();
  std::size_t generation = 0;
  const auto put = [&] {
    const std::string revision = std::to_string(++generation);
    f.update({f.one("a", revision), f.one("b", revision)}, revision);
  };
  const std::size_t count = failEachAllocation(lack, [&] {
    try {
      put();
    } catch (const std::bad_alloc &) {
      haveMemory(); // the owner asks again, as the library does
    }
    haveMemory();
    put();
    REQUIRE(f.backend->committed == std::to_string(generation));
    REQUIRE(f.backend->entries.at("b").revision == std::to_string(generation));
  });
  CHECK(count > 10);
}

} // namespace

TEST_CASE("whichever allocation of an update of the index fails, the next update is made") {
  checkEachAllocation(Lack::Once);
  checkEachAllocation(Lack::Lasting);
}

TEST_CASE("whichever allocation fails while the index lists what it holds, an update is made") {
  for (std::size_t successes = 0;; ++successes) {
    CAPTURE(successes);
    Fixture f;
    f.backend->keepsIndex = f.backend->keepsLists = true;
    f.backend->entries["gone"] = {"gone", "1", "", "", "", ""};
    f.update({f.one("a", "1")}, "1");
    f.attach();
    REQUIRE(f.backend->keptLists.size() == 1);
    f.backend->keepsLists = false;
    const std::size_t before = failedAllocations();
    lackMemory(successes, Lack::Once);
    try {
      f.backend->keptLists.front()();
    } catch (const std::bad_alloc &) {
      haveMemory();
      continue; // the list itself could not be made, so there was no answer
    }
    haveMemory();
    f.update({f.one("a", "2")}, "2");
    REQUIRE(f.backend->committed == "2");
    REQUIRE(f.backend->entries.size() == 1);
    if (failedAllocations() != before) continue;
    CHECK(successes > 3);
    return;
  }
}
