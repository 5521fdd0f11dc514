// SPDX-License-Identifier: Apache-2.0
// Tests which skills of a stranger are offered at all.
#include "catch2.hpp"
#include "skill_source.hpp"

using namespace skillhost::sync;

namespace {

// Returns the reason why a skill with these files is left out; empty if it is offered.
std::string whyLeftOut(const std::string &name, const std::vector<std::string> &paths,
                       std::uint64_t size = 1) {
  OfferMaker maker;
  OfferedSkill skill{name, {}};
  for (const std::string &path : paths) skill.files[path] = {std::string(64, 'a'), false, size};
  const bool isTaken = maker.add(std::move(skill));
  const Offer offer = std::move(maker).finish();
  CHECK(isTaken == !offer.skills.empty());
  return offer.leftOut.empty() ? "" : offer.leftOut.front().why;
}

} // namespace

TEST_CASE("names that no agent takes are left out") {
  CHECK(whyLeftOut("pdf-2", {"SKILL.md"}).empty());
  for (const std::string &name :
       {std::string("../pdf"), std::string("/pdf"), std::string("a/b"), std::string(".."),
        std::string("."), std::string(), std::string("PDF"), std::string("p df"),
        std::string("pdf\n"), std::string(65, 'a'), std::string("-a"), std::string("a--b"),
        std::string(".hidden"), std::string("a\0b", 3)}) {
    CAPTURE(name);
    CHECK(whyLeftOut(name, {"SKILL.md"}).starts_with("no agent takes this name: "));
  }
}

TEST_CASE("files that a folder cannot hold safely leave their skill out") {
  for (const char *path : {"../x", "a/../../x", "/etc/passwd", "a//b", "./a", "a\\b", "a\nb", ""}) {
    CAPTURE(path);
    CHECK(!whyLeftOut("pdf", {"SKILL.md", path}).empty());
  }
  CHECK(!whyLeftOut("pdf", {"SKILL.md", std::string(2'000, 'a')}).empty());
  CHECK(whyLeftOut("pdf", {"a.md"}) == "it has no SKILL.md");
  CHECK(whyLeftOut("pdf", {"SKILL.md", "a", "a/b"}) == "a is both a file and a folder");
  CHECK(whyLeftOut("pdf", {"SKILL.md", "Notes.md", "notes.md"}) ==
        "notes.md has the same name as another of its files on some file systems");
  CHECK(whyLeftOut("pdf", {"SKILL.md", "skill.md"}).find("skill.md has the same name") == 0);
  CHECK(whyLeftOut("pdf", {"SKILL.md", "a"}, std::uint64_t{200} << 20U) ==
        "it has more than 256 MiB");
  CHECK(!whyLeftOut("pdf", {"SKILL.md", "a"}, UINT64_MAX).empty());
  std::vector<std::string> many{"SKILL.md"};
  for (int i = 0; i < 2'000; ++i) many.push_back("f" + std::to_string(i));
  CHECK(whyLeftOut("pdf", many) == "it has more than 2,000 files");
}

TEST_CASE("litter and secrets are passed over, and a name is given once") {
  OfferMaker maker;
  const FileState file{std::string(64, 'a'), false, 1};
  CHECK(maker.add({"pdf", {{"SKILL.md", file}, {".git/config", file}, {".env", file}}}));
  CHECK(!maker.add({"pdf", {{"SKILL.md", file}}}));
  const Offer offer = std::move(maker).finish();
  REQUIRE(offer.skills.size() == 1);
  CHECK(offer.skills.front().files.size() == 1);
  REQUIRE(offer.leftOut.size() == 1);
  CHECK(offer.leftOut.front().why == "another skill has the same name");
  CHECK(offer.whyIncomplete.empty());
  CHECK(!OfferMaker().finish().whyIncomplete.empty());
}
