// SPDX-License-Identifier: Apache-2.0
// Tests how replicas write the record of a session, publish its changes, and read it.
#include "catch2.hpp"
#include "session_record.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;

namespace {

const LoadedSkill pdf{"pdf", "sha256:1", "2026-11-26T00:00:00Z", 12};

SessionRecord full() {
  SessionRecord record;
  record.notes.logLevel = 0;
  record.notes.uris = {"skill://a/SKILL.md", "skill://b/\"x\""};
  record.notes.loaded = {{"a/pdf", pdf}};
  record.writes = 9;
  return record;
}

std::string replaced(const std::string &what, const std::string &by) {
  std::string text = full().text();
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

} // namespace

TEST_CASE("a record of a session is read as it was written") {
  const SessionRecord record = full();
  const auto read = SessionRecord::read(record.text());
  REQUIRE(read);
  CHECK_FALSE(read->ended);
  CHECK(read->notes == record.notes);
  CHECK(read->writes == 9);
  CHECK(read->text() == record.text());
  CHECK(SessionRecord::read(SessionRecord{}.text())->notes == SessionNotes{});
  SessionRecord ended;
  ended.ended = true;
  CHECK(SessionRecord::read(ended.text())->ended);
}

TEST_CASE("what is no record is refused") {
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"version":1})"),
        std::string(R"({"version":2,"writes":1,"uris":[],"loaded":[]})"),
        std::string(R"({"version":"1"})"), replaced(R"("level":0)", R"("level":8)"),
        replaced(R"("level":0)", R"("level":-1)"), replaced(R"("writes":9)", R"("writes":-9)"),
        replaced(R"("uris":[)", R"("uris":[1,)"),
        replaced(R"("digest":"sha256:1")", R"("digest":"")"),
        std::string(SessionRecord::largest + 1, ' ')}) {
    const auto read = SessionRecord::read(text);
    REQUIRE(!read);
    CHECK(read.failure().fault == Fault::Corrupt);
  }
}

TEST_CASE("a change is read as it was told, and can be made again") {
  using Kind = SessionChange::Kind;
  const SessionChange changes[] = {{.kind = Kind::LogLevel, .level = 3},
                                   {.kind = Kind::Subscribed, .name = "skill://a"},
                                   {.kind = Kind::Unsubscribed, .name = "skill://b"},
                                   {.kind = Kind::Loaded, .name = "a/pdf", .skill = pdf},
                                   {.kind = Kind::Unloaded, .name = "a/chart"}};
  SessionNotes notes;
  notes.uris = {"skill://b"};
  notes.loaded = {{"a/chart", pdf}};
  for (int round = 0; round < 2; ++round) {
    for (const SessionChange &change : changes) {
      const auto read = changeFromJson(changeAsJson(change));
      REQUIRE(read);
      CHECK(*read == change);
      applyChange(notes, *read);
    }
    CHECK(notes.logLevel == 3);
    CHECK(notes.uris == std::set<std::string>{"skill://a"});
    CHECK(notes.loaded == std::map<std::string, LoadedSkill>{{"a/pdf", pdf}});
  }
  CHECK(subjectOf(changes[1]) == subjectOf({.kind = Kind::Unsubscribed, .name = "skill://a"}));
  CHECK(subjectOf(changes[3]) != subjectOf({.kind = Kind::Subscribed, .name = "a/pdf"}));
  for (const char *const wrong :
       {"1", "{}", R"({"change":"other"})", R"({"change":"level","level":9})",
        R"({"change":"loaded","id":"a"})", R"({"change":"subscribed","id":1})"})
    CHECK_FALSE(changeFromJson(Json::parse(wrong)));
}
