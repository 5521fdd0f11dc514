// SPDX-License-Identifier: Apache-2.0
// Tests of sessions of the older family across several replicas of one service.
#include "awaited.hpp"
#include "base/log.hpp"
#include "replica.hpp"
#include "session_record.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

const std::string skillText = "---\nname: pdf\ndescription: Use for PDF files.\n---\nDo this.\n";
const std::string loadPdf = R"({"skill_name":"pdf"})";

std::shared_ptr<SkillsInMemory> someSkills() {
  return std::make_shared<SkillsInMemory>(SkillsInMemory::Files{{{"pdf", "SKILL.md"}, skillText}});
}

struct TwoReplicas {
  std::shared_ptr<StateEngine> engine = std::make_shared<StateEngine>();
  std::shared_ptr<SkillsInMemory> skills = someSkills(), others = someSkills();
  Replica a{engine, skills}, b{engine, others};

  // Returns the keys of the records in the engine.
  std::vector<std::string> keys() {
    const std::scoped_lock lock(engine->mutex);
    std::vector<std::string> found;
    for (const auto &[key, value] : engine->values)
      if (const std::size_t at = key.find("notes/"); at != key.npos)
        found.push_back(key.substr(at));
    return found;
  }
  // Returns the only record; "" when there is none.
  std::string record() {
    const std::vector<std::string> all = keys();
    std::string text;
    if (!all.empty())
      a.state->get(all.front(), std::chrono::milliseconds(0),
                   [&](const Result<std::optional<std::string>> &value) {
                     if (value && *value) text = **value;
                   });
    return text;
  }
  std::size_t operations() {
    const std::scoped_lock lock(engine->mutex);
    return engine->operations;
  }
  void forgetAll() {
    const std::scoped_lock lock(engine->mutex);
    engine->values.clear();
  }
  void turn(std::chrono::seconds span) {
    const std::scoped_lock lock(engine->mutex);
    engine->turned += span;
  }
  void put(const std::string &text) {
    bool done = false;
    a.state->put(keys().at(0), text, std::chrono::hours(1),
                 [&](const Status &status) { done = static_cast<bool>(status); });
    REQUIRE(done);
  }
  // Writes the record as another replica whose message is lost.
  template <class Change> void changeElsewhere(const Change &change) {
    auto record = SessionRecord::read(this->record());
    REQUIRE(record);
    change(record->notes.loaded);
    ++record->writes;
    put(record->text());
  }
  void setFailing(bool isFailing) {
    const std::scoped_lock lock(engine->mutex);
    engine->failing = isFailing;
  }
};

} // namespace

TEST_CASE("a session that was opened at one replica goes on at another") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.keys().empty()); // its id holds everything
  CHECK(of.b.ping(session) == 200);
  CHECK(of.b.inSession(session, noticeText("notifications/initialized")).status() == 202);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "already_loaded");
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 0);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
}

TEST_CASE("a message that comes after a newer record was written changes nothing") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  const auto record = SessionRecord::read(of.record());
  REQUIRE(record);
  REQUIRE(record->notes.loaded.size() == 1);
  const auto &[id, skill] = *record->notes.loaded.begin();
  CHECK(of.b.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  const Json changes = Json::array(
      {changeAsJson({.kind = SessionChange::Kind::Loaded, .name = id, .skill = skill})});
  const auto tell = [&](std::uint64_t writes) {
    const Json message{{"kind", "changed"},
                       {"session", of.keys().at(0).substr(std::string("notes/").size())},
                       {"writes", writes},
                       {"changes", changes}};
    of.a.state->publish("session", message.dump());
    of.b.hearAllOf(of.a);
    return of.b.toolData(session, "load_skill", loadPdf).at("status");
  };
  CHECK(tell(record->writes) == "loaded");
  CHECK(of.b.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  CHECK(tell(1'000) == "already_loaded"); // control: a newer message counts
}

TEST_CASE("answers of the engine that come in any order leave the newest record") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  auto record = SessionRecord::read(of.record());
  REQUIRE(record);
  SessionRecord loaded = *record, none = *record;
  none.notes.loaded.clear();
  Awaited<std::function<void()>> answers;
  const auto ask = [&](SessionRecord &written) {
    written.writes = ++record->writes;
    of.put(written.text());                          // as another replica whose message is lost
    const int id = static_cast<int>(written.writes); // two requests that run at once need two ids
    return of.b.inSession(session,
                          requestText("tools/call", R"({"name":"get_loaded_skills_info"})", id));
  };
  const auto count = [](Asked &asked) {
    asked.exchange->wait();
    return asked.body().at("result").at("structuredContent").at("data").at("count").get<int>();
  };
  for (const bool isInOrder : {true, false}) {
    INFO(isInOrder);
    of.engine->late = &answers;
    Asked first = ask(none);
    const auto answerFirst = answers.next();
    Asked second = ask(loaded);
    const auto answerSecond = answers.next();
    of.engine->late = nullptr;
    if (isInOrder) {
      answerFirst();
      CHECK(count(first) == 0);
    }
    answerSecond();
    CHECK(count(second) == 1);
    if (!isInOrder) {
      answerFirst();
      CHECK(count(first) == 1);
    }
  }
}

TEST_CASE("what is loaded is told rightly also by a replica that missed the message") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 0);
}

TEST_CASE("load_skill sends the skill when the engine cannot say that it is still loaded") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "already_loaded"); // control
  of.changeElsewhere([](auto &loaded) { loaded.clear(); });
  SECTION("it is away") {
    of.engine->setAway(true);
    CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
    CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded"); // known now
    of.engine->setAway(false);
    of.b.untilBack();
  }
  SECTION("it answers too late") {
    {
      const std::scoped_lock lock(of.engine->mutex);
      of.engine->silent = true;
    }
    Asked asked = of.b.inSession(session, toolText("load_skill", loadPdf));
    of.engine->setSilent(false);
    asked.exchange->wait();
    const Json result = asked.body().at("result");
    CHECK(result.at("structuredContent").at("data").at("status") == "loaded");
    of.b.untilBack();
  }
  SECTION("it answers with an error") {
    of.setFailing(true);
    CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
    of.setFailing(false);
  }
  SECTION("its record cannot be read") {
    of.put("[]");
    CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  }
  SECTION("it has lost the record") {
    of.forgetAll();
    CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  }
  // The next load writes the skill into the record again once the engine can be asked.
  CHECK(of.b.toolData(session, "load_skill", loadPdf).contains("status"));
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("a load of what is loaded does not undo an unload while the engine is away") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  of.engine->setAway(true);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.b.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  of.engine->setAway(false);
  // The result must not depend on which replica writes last.
  Replica *first = &of.a, *second = &of.b;
  SECTION("the one that has unloaded it is back first") { std::swap(first, second); }
  SECTION("the one that has loaded it is back first") {}
  first->untilBack();
  CHECK(first->ping(session) == 200);
  second->untilBack();
  CHECK(second->ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
}

TEST_CASE("load_skill sends the skill when the engine has come back with an older record") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  const std::string older = of.record();
  CHECK(of.a.inSession(session, requestText("logging/setLevel", R"({"level":"info"})")).status() ==
        200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "already_loaded"); // control
  of.put(older);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "already_loaded");
}

TEST_CASE("a skill that is sent again on request is loaded, also if it was unloaded elsewhere") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  of.changeElsewhere([](auto &loaded) { loaded.clear(); });
  const std::string force = R"({"skill_name":"pdf","force_reload":true})";
  CHECK(of.b.toolData(session, "load_skill", force).at("status") == "loaded");
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("get_loaded_skills_info says when it could not ask for what other replicas know") {
  TwoReplicas of;
  const std::string session = of.a.open();
  const auto ask = [&] {
    return of.a.answered(session, toolText("get_loaded_skills_info")).body().at("result");
  };
  const auto hasTold = [](const Json &result) {
    const Json &metadata = result.at("structuredContent").at("metadata");
    const bool isPartial = metadata.value("partial", false);
    CHECK(metadata.contains("notice") == isPartial);
    CHECK((result.dump().find("only what one replica knows") != std::string::npos) == isPartial);
    return isPartial;
  };
  CHECK(!hasTold(ask()));
  of.setFailing(true);
  CHECK(hasTold(ask()));
  of.setFailing(false);
  of.engine->setAway(true);
  CHECK(hasTold(ask()));
  CHECK(hasTold(ask())); // the outage is known now
  of.engine->setAway(false);
  of.a.untilBack();
  CHECK(!hasTold(ask()));
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.put("[]");
  CHECK(hasTold(ask()));
  CHECK(!hasTold(ask())); // the record is written again
}

TEST_CASE("a skill is unloaded also if the engine cannot say that another replica has loaded it") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  const auto before = SessionRecord::read(of.record());
  REQUIRE(before);
  CHECK(of.a.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  of.b.hearAllOf(of.a);
  of.changeElsewhere([&](auto &loaded) { loaded = before->notes.loaded; });
  of.engine->setAway(true);
  CHECK(of.b.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  of.engine->setAway(false);
  of.b.untilBack();
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 0);
}

TEST_CASE("a request of a known session costs no round trip, one that changes it costs one") {
  TwoReplicas of;
  const std::string session = of.a.open();
  const auto cost = [&](Replica &at, const std::string &body) {
    const std::size_t before = of.operations();
    CHECK(at.answered(session, body).exchange->responses.size() == 1);
    return of.operations() - before;
  };
  CHECK(cost(of.a, requestText("ping")) == 0);
  CHECK(cost(of.a, requestText("tools/list")) == 0);
  CHECK(cost(of.a, noticeText("notifications/initialized")) == 0);
  CHECK(cost(of.a, toolText("load_skill", loadPdf)) == 2); // the note is written and published
  CHECK(cost(of.a, toolText("load_skill", loadPdf)) == 1); // the other replica may have unloaded it
  const std::string further = toolText("load_skill", R"({"skill_name":"pdf","offset":2})");
  CHECK(cost(of.a, further) == 0);
  of.setFailing(true);
  CHECK(cost(of.a, further) == 0); // it is not written again
  of.setFailing(false);
  CHECK(cost(of.a, requestText("logging/setLevel", R"({"level":"info"})")) == 2);
  CHECK(cost(of.a, toolText("get_loaded_skills_info")) == 1);
  CHECK(cost(of.b, requestText("ping")) == 1); // it looks the session up for the first time
  CHECK(cost(of.b, requestText("ping")) == 0);
  const std::size_t before = of.operations();
  CHECK(of.a.post(requestText("tools/list")).status() == 200); // belongs to no session
  CHECK(of.a.ping("no session") == 404);
  CHECK(of.a.ping(std::string(4'096, 'a')) == 404);
  CHECK(of.operations() == before);
}

TEST_CASE("what is written down names nobody") {
  const auto engine = std::make_shared<StateEngine>();
  const Tokens tokens{{{"zoe", {"skills:read"}}, {"bob", {"skills:read"}}}};
  Replica a(engine, tokens), b(engine, tokens);
  const Fields zoe{{"authorization", "Bearer zoe"}}, bob{{"authorization", "Bearer bob"}};
  const std::string session = a.open(zoe);
  CHECK(
      a.post(requestText("logging/setLevel", R"({"level":"info"})"), a.of(session, zoe)).status() ==
      200);
  CHECK(!engine->values.empty());
  for (const auto &[key, value] : engine->values) {
    CHECK((key + value.bytes).find("zoe") == std::string::npos);
    CHECK((key + value.bytes).find(session) == std::string::npos);
  }
  const auto ping = [&](Replica &at, const Fields &who) {
    return at.post(requestText("ping"), at.of(session, who)).status();
  };
  CHECK(ping(b, bob) == 404); // as long as there is no copy
  CHECK(ping(b, zoe) == 200);
  CHECK(ping(b, bob) == 404);
  CHECK(Asked(b.endpoint, "DELETE", b.of(session, bob)).status() == 404);
  CHECK(ping(a, zoe) == 200);
}

TEST_CASE("DELETE ends a session at every replica, also at those that miss the message") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  CHECK(of.a.erase(session).status() == 204);
  CHECK(of.a.ping(session) == 404);
  of.b.hearAllOf(of.a);
  CHECK(of.b.ping(session) == 404);
  CHECK(of.b.erase(session).status() == 404);
  // A replica that starts later has received no message.
  Replica c(of.engine, someSkills());
  CHECK(c.ping(session) == 404);
  CHECK(c.erase(session).status() == 404);
}

TEST_CASE("an engine that comes back empty does not bring an ended session back") {
  TwoReplicas of;
  const std::string session = of.a.open(), other = of.a.open();
  CHECK(of.a.erase(session).status() == 204);
  of.b.hearAllOf(of.a);
  of.engine->setAway(true);
  CHECK(of.a.toolData(other, "get_loaded_skills_info").at("count") == 0); // notices the outage
  of.forgetAll();
  of.engine->setAway(false);
  of.a.untilBack();
  for (Replica *const at : {&of.a, &of.b}) CHECK(at->ping(session) == 404);
  Replica c(of.engine, someSkills());
  CHECK(c.ping(session) == 404);
}

TEST_CASE("an engine that comes back with all it had is not told of ended sessions again") {
  TwoReplicas of;
  const std::string other = of.a.open();
  for (int i = 0; i < 20; ++i) CHECK(of.a.erase(of.a.open()).status() == 204);
  of.b.hearAllOf(of.a);
  const auto writes = [&] {
    const std::scoped_lock lock(of.engine->mutex);
    std::size_t count = of.engine->writes;
    if (of.engine->values.contains("skillhost:heartbeat")) --count;
    return count;
  };
  const std::size_t before = writes();
  of.engine->setAway(true);
  CHECK(of.a.toolData(other, "get_loaded_skills_info").at("count") == 0); // notices the outage
  of.engine->setAway(false);
  of.a.untilBack();
  CHECK(writes() == before);
}

TEST_CASE("a full engine is told once a minute, not with each request") {
  TwoReplicas of;
  std::mutex mutex;
  std::vector<std::string> lines;
  log::listen([&](LogLevel, std::string_view, std::string_view text) {
    const std::scoped_lock lock(mutex);
    if (text.find("cannot be saved for the other replicas") != text.npos) lines.emplace_back(text);
  });
  {
    const std::scoped_lock lock(of.engine->mutex);
    of.engine->full = true;
  }
  for (int i = 0; i < 5; ++i)
    CHECK(of.a.toolData(of.a.open(), "load_skill", loadPdf).at("status") == "loaded");
  log::listen(nullptr);
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().ends_with("the engine is full"));
}

TEST_CASE("the stream of a session ends at once when the session is ended elsewhere") {
  TwoReplicas of;
  const std::string session = of.a.open();
  const Asked stream = of.b.listen(session);
  REQUIRE(stream.exchange->opened == 1);
  CHECK(of.a.erase(session).status() == 204);
  of.b.hearAllOf(of.a);
  CHECK(stream.exchange->closed == 1);
}

TEST_CASE("while the engine is away every session goes on, and none can be ended") {
  TwoReplicas of;
  const std::string session = of.a.open();
  of.engine->setAway(true);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.a.ping(session) == 200);
  CHECK(of.b.ping(session) == 200);          // b has not seen the session before
  const Asked refused = of.a.erase(session); // the others would not learn of the end
  CHECK(refused.status() == 503);
  CHECK(!refused.field("Retry-After").empty());
  CHECK(of.a.ping(session) == 200);
  const std::string opened = of.b.open();
  CHECK(of.b.ping(opened) == 200);
  of.engine->setAway(false);
  of.a.untilBack();
  of.b.untilBack(); // b has written its pending records
  CHECK(of.a.ping(opened) == 200);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.a.erase(session).status() == 204);
}

TEST_CASE("a session that was ended while a replica could not ask is refused when it can") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.erase(session).status() == 204);
  Replica c(of.engine, someSkills()); // c has not received the message
  of.engine->setAway(true);
  CHECK(c.toolData(c.open(), "get_loaded_skills_info").at("count") == 0); // notices the outage
  CHECK(c.ping(session) == 200);
  of.engine->setAway(false);
  c.untilBack();
  CHECK(c.ping(session) == 404);
}

TEST_CASE("an engine that has lost everything is told again what replicas know") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  of.forgetAll();
  // The replica b has received no message.
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 0);
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("an engine that was away and came back empty is told before anybody asks") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.engine->setAway(true);
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1); // notices the outage
  of.forgetAll();
  of.engine->setAway(false);
  of.a.untilBack();
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("what an engine has kept of an older state does not undo what is known here") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.inSession(session, requestText("logging/setLevel", R"({"level":"error"})")).status() ==
        200);
  const std::string old = of.record();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.put(old);
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("two replicas that change one session at the same time keep both changes") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  // At its write, b finds another record than it read.
  of.engine->setAway(true);
  CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.engine->setAway(false);
  of.b.untilBack();
  CHECK(of.a.inSession(session, requestText("logging/setLevel", R"({"level":"error"})")).status() ==
        200);
  CHECK(of.b.ping(session) == 200);
  const auto record = SessionRecord::read(of.record());
  REQUIRE(record);
  CHECK(record->notes.loaded.size() == 1);
  CHECK(record->notes.logLevel == 3);
}

TEST_CASE("the record of a session goes when its id is too old") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.turn(std::chrono::hours(23));
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
  of.turn(std::chrono::hours(2));
  CHECK(of.record().empty());
}

TEST_CASE("records of another hand and of another version are not taken, and the session goes on") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.b.hearAllOf(of.a);
  SECTION("of a later version") { of.put(R"({"version":2,"anything":[]})"); }
  SECTION("of no version") { of.put("[]"); }
  SECTION("of another product") {
    const std::scoped_lock lock(of.engine->mutex);
    for (auto &[key, value] : of.engine->values) value.bytes = "something else";
  }
  CHECK(of.b.ping(session) == 200);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 0);
  // A replica that knows the session writes it again.
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("the stream leads to where the client listens last, and to nowhere else") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.inSession(session, noticeText("notifications/initialized")).status() == 202);
  const Asked first = of.a.listen(session);
  CHECK(first.exchange->opened == 1);
  CHECK(first.exchange->events.empty());
  const Asked second = of.b.listen(session);
  of.a.hearAllOf(of.b);
  CHECK(first.exchange->closed == 1);
  CHECK(second.exchange->closed == 0);
  REQUIRE(second.exchange->events.size() == 3); // each list may have changed
  const std::string last = second.exchange->events.back().first;
  // The client returns to the first replica with an id of the second one's events, which names no
  // event of this stream.
  const Asked third = of.a.listen(session, {{"last-event-id", last}});
  of.b.hearAllOf(of.a);
  CHECK(second.exchange->closed == 1);
  CHECK(third.exchange->events.size() == 3);
  // The client resumes once more at the same replica.
  const Asked fourth =
      of.a.listen(session, {{"last-event-id", third.exchange->events.at(1).first}});
  CHECK(fourth.exchange->events.size() == 1);
}

TEST_CASE("an engine that is known to be away is not asked for each request") {
  TwoReplicas of;
  const std::string session = of.a.open(), other = of.b.open();
  of.engine->setAway(true);
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 0); // notices the outage
  const auto refused = [&] {
    const std::scoped_lock lock(of.engine->mutex);
    return of.engine->refused;
  };
  const std::size_t before = refused();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.a.ping(other) == 200);
  CHECK(of.a.erase(session).status() == 503);
  CHECK(of.a.ping(of.a.open()) == 200);
  CHECK(refused() == before);
  of.engine->setAway(false);
  of.a.untilBack();
  CHECK(of.a.ping(other) == 200);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("an engine that is full costs a session nothing but what others know of it") {
  TwoReplicas of;
  const auto fill = [&](bool full) {
    const std::scoped_lock lock(of.engine->mutex);
    of.engine->full = full;
  };
  fill(true);
  const std::string session = of.a.open();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.ping(session) == 200);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 0);
  CHECK(of.a.erase(session).status() == 503);
  fill(false);
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1); // writes it now
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.a.erase(session).status() == 204);
}

TEST_CASE("an engine whose answers are lost costs a session nothing") {
  TwoReplicas of;
  const std::string session = of.a.open();
  {
    const std::scoped_lock lock(of.engine->mutex);
    of.engine->forgetful = true;
  }
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  {
    const std::scoped_lock lock(of.engine->mutex);
    of.engine->forgetful = false;
  }
  of.a.untilBack();
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("what is set elsewhere holds at once for the stream of a session") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.inSession(session, noticeText("notifications/initialized")).status() == 202);
  const Asked stream = of.b.listen(session);
  REQUIRE(stream.exchange->opened == 1);
  Awaited<std::string> told;
  stream.exchange->atEvent = [&](const std::string &data) {
    const std::string method = Json::parse(data).at("method");
    if (method == "notifications/resources/updated") told.push(data);
  };
  const std::string uri = R"({"uri":"skill://memory/pdf/SKILL.md"})";
  CHECK(of.a.inSession(session, requestText("resources/subscribe", uri)).status() == 200);
  of.b.hearAllOf(of.a);
  of.others->become({{{"pdf", "SKILL.md"}, skillText + "And that.\n"}});
  CHECK(Json::parse(told.next()).at("params").at("uri") == "skill://memory/pdf/SKILL.md");
}

TEST_CASE("a change of the catalogue of all replicas is told once") {
  TwoReplicas of;
  const std::string session = of.a.open(), other = of.a.open();
  for (const std::string &one : {session, other})
    CHECK(of.a.inSession(one, noticeText("notifications/initialized")).status() == 202);
  const Asked stream = of.b.listen(session), ofOther = of.a.listen(other);
  of.a.hearAllOf(of.b);
  Awaited<int> told, toldOther;
  const auto listens = [](const Asked &asked, Awaited<int> &hears) {
    REQUIRE(asked.exchange->opened == 1);
    asked.exchange->atEvent = [&hears](const std::string &data) {
      if (data.find("notifications/resources/list_changed") != data.npos) hears.push(1);
    };
  };
  listens(stream, told);
  listens(ofOther, toldOther);
  std::string text = skillText;
  const auto change = [&](const std::string &description) {
    text.replace(text.find("Use for"), std::string("Use for").size(), description);
    of.skills->become({{{"pdf", "SKILL.md"}, text}});
    of.others->become({{{"pdf", "SKILL.md"}, text}});
    told.next();
    toldOther.next();
  };
  change("First, Use for");
  change("Then, Use for");
  // Both replicas have sent the first change to all of their sessions, so nothing of it is pending.
  of.b.hearAllOf(of.a);
  std::size_t count = 0;
  for (const auto &[id, data] : stream.exchange->events)
    if (data.find("notifications/resources/list_changed") != data.npos) ++count;
  CHECK(count == 3); // the first was sent when it began to listen here
}

TEST_CASE("sessions of nobody that are dropped for want of room leave the engine too") {
  const auto engine = std::make_shared<StateEngine>();
  HttpRules rules;
  rules.maxSessions = 10; // two of one network
  Replica a(engine, rules);
  const auto records = [&] {
    const std::scoped_lock lock(engine->mutex);
    std::size_t count = 0;
    for (const auto &[key, value] : engine->values)
      if (key.find("notes/") != key.npos) ++count;
    return count;
  };
  std::string first;
  for (int i = 0; i < 20; ++i) {
    const std::string session = a.open();
    if (first.empty()) first = session;
    CHECK(a.inSession(session, requestText("logging/setLevel", R"({"level":"error"})")).status() ==
          200);
  }
  CHECK(records() == 2);
  CHECK(a.ping(first) == 200); // its id opens
}
