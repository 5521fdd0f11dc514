// SPDX-License-Identifier: Apache-2.0
// What replicas write down of a session, and read.
#include "catch2.hpp"
#include "session_record.hpp"

#include <string>

using namespace skillhost;

namespace {

SessionRecord full() {
  SessionRecord record;
  record.owner = "0123";
  record.facts.capabilities = R"({"sampling":{}})";
  record.facts.form = ResultForm::Structured;
  record.facts.ready = true;
  record.facts.logLevel = 0;
  record.facts.uris = {"skill://a/SKILL.md", "skill://b/\"x\""};
  record.facts.loaded = {{"a/pdf", {"pdf", "sha256:1", "2026-11-26T00:00:00Z", 12}}};
  record.listener = "0123.4";
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
  CHECK(read->kind == SessionRecord::Kind::Live);
  CHECK(read->facts == record.facts);
  CHECK(read->owner == record.owner);
  CHECK(read->listener == record.listener);
  CHECK(read->writes == 9);
  CHECK(read->text() == record.text());
  CHECK(SessionRecord::read(SessionRecord{}.text())->facts == SessionFacts{});
}

TEST_CASE("members of later versions are kept") {
  const auto read = SessionRecord::read(replaced(R"({"version")", R"({"later":[1],"version")"));
  REQUIRE(read);
  CHECK(read->text().find(R"("later":[1])") != std::string::npos);
  CHECK(SessionRecord::read(read->text())->facts == full().facts);
}

TEST_CASE("an ended session and one of a later version are told apart") {
  SessionRecord ended;
  ended.kind = SessionRecord::Kind::Ended;
  CHECK(SessionRecord::read(ended.text())->kind == SessionRecord::Kind::Ended);
  CHECK(SessionRecord::read(R"({"version":2})")->kind == SessionRecord::Kind::Newer);
}

TEST_CASE("what is no record is refused") {
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"version":1})"),
        std::string(R"({"version":0})"), std::string(R"({"version":"1"})"),
        replaced(R"("form":"structured")", R"("form":"other")"),
        replaced(R"("ready":true)", R"("ready":1)"), replaced(R"("logLevel":0)", R"("logLevel":8)"),
        replaced(R"("logLevel":0)", R"("logLevel":-1)"), replaced(R"({\"sampling\":{}})", "[]"),
        replaced(R"("writes":9)", R"("writes":-9)"), replaced(R"("uris":[)", R"("uris":[1,)"),
        replaced(R"("digest":"sha256:1")", R"("a":1)"),
        std::string(SessionRecord::largest + 1, ' ')}) {
    const auto read = SessionRecord::read(text);
    REQUIRE(!read);
    CHECK(read.failure().fault == Fault::Corrupt);
  }
}
