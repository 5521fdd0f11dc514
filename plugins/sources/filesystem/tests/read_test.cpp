// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "filesystem/identity.hpp"
#include "fixture.hpp"

#include <fcntl.h>
#include <unistd.h>

using namespace skillhost::filesystem;
using namespace skillhost::filesystem::test;

TEST_CASE("bytes come as they are, of every size") {
  const Tree tree;
  tree.skill("x");
  tree.write("x/empty", "");
  std::string large;
  for (int i = 0; large.size() < 5'000'000; ++i) large += std::to_string(i) + '\0';
  tree.write("x/large.bin", large);
  Instance instance(tree);
  const Listing listing = instance.list();
  const ReadBack empty = instance.read("x:empty", listing.documents.at("x:empty").revision);
  CHECK(empty.status == SKH_OK);
  CHECK(empty.bytes.empty());
  const Listed &listed = listing.documents.at("x:large.bin");
  CHECK(listed.length == large.size());
  CHECK((instance.read("x:large.bin", listed.revision).bytes == large));
}

TEST_CASE("a document that is gone is stale, one that never was is not found") {
  const Tree tree;
  tree.skill("x");
  tree.write("x/a.md", "a");
  Instance instance(tree);
  const Listing listing = instance.list();
  const std::string revision = listing.documents.at("x:a.md").revision;
  CHECK(instance.read("x:a.md", "another").status == SKH_STALE);
  tree.remove("x/a.md");
  CHECK(instance.read("x:a.md", revision).status == SKH_STALE);
  CHECK(instance.changes(listing.snapshot).documents.at("x:a.md").flags == SKH_DOC_REMOVED);
  CHECK(instance.read("x:a.md", revision).status == SKH_STALE);
  CHECK(instance.read("x:b.md", revision).status == SKH_NOT_FOUND);
  CHECK(instance.read("y:a.md", revision).status == SKH_NOT_FOUND);
}

TEST_CASE("a read before any listing looks first") {
  const Tree tree;
  tree.skill("x");
  Instance instance(tree);
  CHECK(instance.read("x:SKILL.md", "unknown").status == SKH_STALE);
  CHECK(instance.read("x:none", "unknown").status == SKH_NOT_FOUND);
}

TEST_CASE("the same file keeps its revision when its change grows old") {
  const Tree tree;
  tree.skill("x");
  Instance instance(tree);
  const Listing fresh = instance.list();
  const std::int64_t listed = wallClock();
  Listing later = fresh;
  // Until the file is no longer new.
  while (wallClock() < listed + 300'000'000) later = instance.list();
  CHECK(later.snapshot == fresh.snapshot);
  CHECK(instance.changes(fresh.snapshot).documents.empty());
  CHECK(instance.read("x:SKILL.md", fresh.documents.at("x:SKILL.md").revision).status == SKH_OK);
}

TEST_CASE("a change of the same size at once is stale, never other bytes") {
  const Tree tree;
  tree.skill("x");
  tree.write("x/a", "0000");
  Instance instance(tree);
  const int file = ::open(tree.at("x/a").c_str(), O_WRONLY);
  REQUIRE(file >= 0);
  int stale = 0;
  for (int round = 0; round < 200; ++round) {
    const std::string before = round % 2 == 0 ? "0000" : "1111";
    const std::string after = round % 2 == 0 ? "1111" : "0000";
    const std::string revision = instance.list().documents.at("x:a").revision;
    REQUIRE(::pwrite(file, after.data(), after.size(), 0) == 4);
    const ReadBack back = instance.read("x:a", revision);
    if (back.status == SKH_STALE) ++stale;
    REQUIRE((back.status == SKH_STALE || back.bytes == before));
  }
  ::close(file);
  CHECK(stale == 200); // the old bytes no longer exist
}

TEST_CASE("identities are restless while their times cannot tell") {
  FileIdentity identity;
  const std::int64_t changed = 1'700'000'000'123'456'789;
  identity.changed = changed;
  constexpr std::int64_t millisecond = 1'000'000;
  CHECK(mayChangeUnnoticed(identity, changed + 249 * millisecond, Clock::local));
  CHECK_FALSE(mayChangeUnnoticed(identity, changed + 251 * millisecond, Clock::local));
  CHECK(mayChangeUnnoticed(identity, changed - 1'000 * millisecond, Clock::local));
  CHECK(mayChangeUnnoticed(identity, changed + 2'900 * millisecond, Clock::remote));
  identity.size = 64U << 20U;
  CHECK(mayChangeUnnoticed(identity, changed + 1'000 * millisecond, Clock::local));
  identity.size = 0;
  identity.changed = 1'700'000'000'000'000'000;
  CHECK(mayChangeUnnoticed(identity, identity.changed + 2'900 * millisecond, Clock::local));
}

TEST_CASE("revisions tell apart what differs") {
  FileIdentity identity;
  const Revision plain(identity, std::nullopt, true);
  CHECK(plain == Revision(identity, std::nullopt, true));
  CHECK_FALSE(plain == Revision(identity, std::nullopt, false));
  CHECK_FALSE(plain == Revision(identity, Digest{1, 2}, true));
  identity.changed = 1;
  CHECK_FALSE(plain == Revision(identity, std::nullopt, true));
}
