// SPDX-License-Identifier: Apache-2.0
// The text of a manifest: what is written is read as it was, and anything else is refused.
#include "catch2.hpp"
#include "sharing/manifest.hpp"

using namespace skillhost;

namespace {

SharedManifest example() {
  SharedManifest made;
  made.number = 7;
  made.snapshot.revision = std::string("r\0\xff", 3);
  made.snapshot.documents = {
      {"a", "SKILL.md", "1", "https://example.org/a", 3, true, false},
      {"a", "run.sh", "2", {}, UINT64_MAX, false, true},
      {"team/b", "SKILL.md", "\"\n", {}, 4, true, false},
  };
  made.objects = {{{1, 2, 3}, 3, {}}, {{4}, 5, {}}, {{}, 0, Fault::TooLarge}};
  made.snapshot.facts = {
      {"*", R"({"kind":"git"})"}, {"a", R"({"x":1})"}, {"aa", "{}"}, {"team/b", R"({"y":"\"\n"})"}};
  return made;
}

void requireRefused(const std::string &text, const std::string &why) {
  const Result<SharedManifest> read = readManifest(text);
  INFO(text);
  REQUIRE_FALSE(read);
  CHECK(read.failure().fault == Fault::InvalidFormat);
  INFO(read.failure().message);
  CHECK(read.failure().message.find(why) != std::string::npos);
}

std::string replaced(std::string text, const std::string &what, const std::string &with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

} // namespace

TEST_CASE("a manifest is read as it was written") {
  const SharedManifest made = example();
  const Result<SharedManifest> read = readManifest(manifestText(made));
  REQUIRE(read);
  CHECK(read->number == 7);
  CHECK(read->snapshot.revision == made.snapshot.revision);
  CHECK(read->snapshot.documents == made.snapshot.documents);
  CHECK(read->snapshot.facts == made.snapshot.facts);
  CHECK(read->objects == made.objects);
  CHECK(manifestText(*read) == manifestText(made));
}

TEST_CASE("one of nothing is read too") {
  SharedManifest made;
  made.snapshot.revision = "none";
  const Result<SharedManifest> read = readManifest(manifestText(made));
  REQUIRE(read);
  CHECK(read->snapshot.documents.empty());
}

TEST_CASE("what no replica writes is refused, with the line and what is wrong") {
  const std::string text = manifestText(example());
  requireRefused("", "empty");
  requireRefused("x", "line 1");
  requireRefused("[]", "no object");
  requireRefused(replaced(text, "version\":1", "version\":2"), "version 2");
  requireRefused(replaced(text, "\"documents\":3", "\"documents\":4"), "the heading says 4");
  requireRefused(replaced(text, "\"documents\":3", "\"documents\":2"), "more documents");
  requireRefused(replaced(text, "\"documents\":3", "\"documents\":1000001"), "a million");
  requireRefused(replaced(text, "team/b", "../b"), "line 5: skill");
  requireRefused(replaced(text, "run.sh", "/run.sh"), "path");
  requireRefused(replaced(text, "run.sh", "SKILL.md"), "out of order");
  requireRefused(replaced(text, "\"aa\"", "\"Z\""), "out of order");
  requireRefused(replaced(text, "too large", "boredom"), "fault");
  requireRefused(replaced(text, "\"size\":3", "\"size\":-3"), "size");
  requireRefused(replaced(text, "010203", "01020g"), "digest");
  requireRefused(replaced(text, "\"facts\":\"{}\"", "\"facts\":\"[]\""), "facts");
  requireRefused(text.substr(0, text.size() / 2), "line");
  // Cut off between two lines.
  requireRefused(text.substr(0, text.rfind("{\"skill\"")), "2 documents");
}

TEST_CASE("what has changed between two manifests") {
  const Snapshot before = example().snapshot;
  Snapshot now = before;
  now.revision = "8";
  now.documents[0].revision = "other";
  now.documents.erase(now.documents.begin() + 1);
  now.documents.push_back({"z", "SKILL.md", "1", {}, 1, true, false});
  const Changes changes = changesBetween(before, now);
  CHECK(changes.revision == "8");
  REQUIRE(changes.added.size() == 2);
  CHECK(changes.added[0].revision == "other");
  CHECK(changes.added[1].skill == "z");
  REQUIRE(changes.removed.size() == 1);
  CHECK(changes.removed[0].path == "run.sh");
  CHECK(changesBetween(now, now).added.empty());
  CHECK(changesBetween(before, Snapshot{"9", {}, {}, {}}).removed.size() == 3);
}

TEST_CASE("an object is that of the document's own revision") {
  const SharedManifest made = example();
  Document document = made.snapshot.documents[1];
  REQUIRE(objectOf(made, document) == &made.objects[1]);
  document.revision = "other";
  CHECK(objectOf(made, document) == nullptr);
  document.path = "absent";
  CHECK(objectOf(made, document) == nullptr);
}
