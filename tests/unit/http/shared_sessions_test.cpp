// SPDX-License-Identifier: Apache-2.0
// Sessions of the older family over several replicas of one service.
#include "awaited.hpp"
#include "replica.hpp"
#include "session_record.hpp"

#include <chrono>
#include <optional>
#include <string_view>

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

  std::string keyOf(const std::string &session) {
    return "session/" + a.state->keyed("session", {session});
  }
  // What the engine holds of it; empty: nothing.
  std::string record(const std::string &session) {
    std::string text;
    a.state->get(keyOf(session), std::chrono::milliseconds(0),
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
  void put(const std::string &session, const std::string &text) {
    bool done = false;
    a.state->put(keyOf(session), text, std::chrono::hours(1),
                 [&](const Status &status) { done = static_cast<bool>(status); });
    REQUIRE(done);
  }
};

} // namespace

TEST_CASE("a session that was opened at one replica goes on at another") {
  TwoReplicas of;
  const std::string session = of.a.open();
  REQUIRE(session.size() == 32);
  CHECK(of.b.ping(session) == 200);
  CHECK(of.b.inSession(session, noticeText("notifications/initialized")).status() == 202);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "already_loaded");
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "unload_skill", loadPdf).at("status") == "unloaded");
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 0);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
}

TEST_CASE("a request of a shared session is one round trip, one that changes it two") {
  TwoReplicas of;
  const std::string session = of.a.open();
  const auto cost = [&](const std::string &body) {
    const std::size_t before = of.operations();
    CHECK(of.a.inSession(session, body).exchange->responses.size() == 1);
    return of.operations() - before;
  };
  CHECK(cost(requestText("ping")) == 1);
  CHECK(cost(requestText("tools/list")) == 1);
  CHECK(cost(noticeText("notifications/initialized")) == 2);
  CHECK(cost(noticeText("notifications/initialized")) == 1);
  CHECK(cost(toolText("load_skill", loadPdf)) == 2);
  CHECK(cost(toolText("load_skill", loadPdf)) == 1);
  CHECK(cost(requestText("logging/setLevel", R"({"level":"info"})")) == 2);
  const std::size_t before = of.operations();
  CHECK(of.a.post(requestText("tools/list")).status() == 200); // of no session
  CHECK(of.a.ping("no session") == 404);
  CHECK(of.operations() == before);
}

TEST_CASE("what is written down names nobody") {
  const auto engine = std::make_shared<StateEngine>();
  const Tokens tokens{{{"zoe", {"skills:read"}}, {"bob", {"skills:read"}}}};
  Replica a(engine, tokens), b(engine, tokens);
  const Fields zoe{{"authorization", "Bearer zoe"}}, bob{{"authorization", "Bearer bob"}};
  const std::string session = a.open(zoe);
  for (const auto &[key, value] : engine->values) {
    CHECK((key + value.bytes).find("zoe") == std::string::npos);
    CHECK((key + value.bytes).find(session) == std::string::npos);
  }
  const auto ping = [&](Replica &at, const Fields &who) {
    return at.post(requestText("ping"), at.of(session, who)).status();
  };
  CHECK(ping(b, bob) == 404); // while there is no copy
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
  CHECK(of.b.ping(session) == 404);
  CHECK(of.b.erase(session).status() == 404);
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

TEST_CASE("while the engine is away, sessions that are known here go on and the others wait") {
  TwoReplicas of;
  const std::string session = of.a.open();
  of.engine->setAway(true);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.a.ping(session) == 200);
  const Asked unknown = of.b.inSession(session, requestText("ping"));
  CHECK(unknown.status() == 503);
  CHECK(!unknown.field("Retry-After").empty());
  CHECK(unknown.body().at("id") == 7);
  CHECK(of.a.erase(session).status() == 503); // the others would not know
  CHECK(of.b.post(requestText("tools/list")).status() == 200);
  const std::string opened = of.b.open(); // older clients can still come in
  CHECK(of.b.ping(opened) == 200);
  of.engine->setAway(false);
  of.a.untilBack();
  of.b.untilBack(); // which has written what it opened
  CHECK(of.a.ping(opened) == 200);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("an engine that has lost everything is told again what replicas know") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.forgetAll();
  CHECK(of.b.ping(session) == 404);
  CHECK(of.a.ping(session) == 200);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("an engine that was away and came back empty is told before anybody asks") {
  TwoReplicas of;
  const std::string session = of.a.open(), other = of.a.open();
  of.engine->setAway(true);
  CHECK(of.a.ping(session) == 200);
  of.forgetAll();
  of.engine->setAway(false);
  of.a.untilBack();
  CHECK(of.b.ping(other) == 200);
}

TEST_CASE("what an engine has kept of an older state does not undo what is known here") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.a.ping(session) == 200);
  const std::string old = of.record(session);
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.put(session, old);
  CHECK(of.a.toolData(session, "get_loaded_skills_info").at("count") == 1);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("two replicas that change one session at the same time keep both changes") {
  TwoReplicas of;
  const std::string session = of.a.open();
  CHECK(of.b.ping(session) == 200);
  // What b finds when it writes is not what it read.
  of.engine->setAway(true);
  CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  of.engine->setAway(false);
  of.b.untilBack();
  CHECK(of.a.inSession(session, requestText("logging/setLevel", R"({"level":"error"})")).status() ==
        200);
  CHECK(of.b.ping(session) == 200);
  const auto record = SessionRecord::read(of.record(session));
  REQUIRE(record);
  CHECK(record->facts.loaded.size() == 1);
  CHECK(record->facts.logLevel == 3);
}

TEST_CASE("a session that nobody used is forgotten by the engine") {
  TwoReplicas of;
  const std::string session = of.a.open();
  of.turn(std::chrono::minutes(50));
  CHECK(of.a.ping(session) == 200); // which counts as use
  of.turn(std::chrono::minutes(50));
  CHECK(of.b.ping(session) == 200);
  of.turn(std::chrono::minutes(70));
  Replica c(of.engine, someSkills());
  CHECK(c.ping(session) == 404);
}

TEST_CASE("records of another hand and of another version") {
  TwoReplicas of;
  const std::string session = of.a.open();
  SECTION("of a later version: it is asked for again elsewhere") {
    of.put(session, R"({"version":2,"anything":[]})");
    for (Replica *const at : {&of.a, &of.b}) {
      const Asked asked = at->inSession(session, requestText("ping"));
      CHECK(asked.status() == 503);
      CHECK(!asked.field("Retry-After").empty());
    }
    CHECK(of.record(session) == R"({"version":2,"anything":[]})");
  }
  SECTION("of no version") {
    of.put(session, "[]");
    CHECK(of.b.ping(session) == 404);
  }
  SECTION("of another product: there is none") {
    {
      const std::scoped_lock lock(of.engine->mutex);
      for (auto &[key, value] : of.engine->values) value.bytes = "something else";
    }
    CHECK(of.b.ping(session) == 404);
    CHECK(of.a.ping(session) == 200); // who knows it writes it again
    CHECK(of.b.ping(session) == 200);
  }
  SECTION("with more members: they are kept") {
    std::string text = of.record(session);
    text.insert(1, R"("later":{"a":[1]},)");
    of.put(session, text);
    CHECK(of.b.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
    CHECK(Json::parse(of.record(session)).at("later") == Json::parse(R"({"a":[1]})"));
  }
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
  REQUIRE(second.exchange->events.size() == 3); // each list may be another one
  const std::string last = second.exchange->events.back().first;
  // Back at the first: what it says of the second's events is not of this stream.
  const Asked third = of.a.listen(session, {{"last-event-id", last}});
  of.b.hearAllOf(of.a);
  CHECK(second.exchange->closed == 1);
  CHECK(third.exchange->events.size() == 3);
  // And again where it is.
  const Asked fourth =
      of.a.listen(session, {{"last-event-id", third.exchange->events.at(1).first}});
  CHECK(fourth.exchange->events.size() == 1);
}

TEST_CASE("an engine that is known to be away is not asked for each request") {
  TwoReplicas of;
  const std::string session = of.a.open(), other = of.b.open();
  of.engine->setAway(true);
  CHECK(of.a.ping(session) == 200); // finds out
  const auto refused = [&] {
    const std::scoped_lock lock(of.engine->mutex);
    return of.engine->refused;
  };
  const std::size_t before = refused();
  CHECK(of.a.toolData(session, "load_skill", loadPdf).at("status") == "loaded");
  CHECK(of.a.ping(other) == 503);
  CHECK(of.a.erase(session).status() == 503);
  CHECK(of.a.ping(of.a.open()) == 200);
  CHECK(refused() == before);
  of.engine->setAway(false);
  of.a.untilBack();
  CHECK(of.a.ping(other) == 200);
  CHECK(of.b.toolData(session, "get_loaded_skills_info").at("count") == 1);
}

TEST_CASE("a session that was opened while it could not be written is asked for again elsewhere") {
  TwoReplicas of;
  const auto fill = [&](bool full) {
    const std::scoped_lock lock(of.engine->mutex);
    of.engine->full = full;
  };
  fill(true);
  const std::string session = of.a.open();
  for (const std::string &body : {noticeText("notifications/initialized"), requestText("ping")}) {
    const Asked asked = of.b.answered(session, body);
    CHECK(asked.status() == 503);
    CHECK(!asked.field("Retry-After").empty());
  }
  CHECK(of.b.listen(session).status() == 503);
  CHECK(of.b.erase(session).status() == 503);
  CHECK(of.a.ping(session) == 200);
  fill(false);
  // Who is asked has it written.
  const int status = of.b.ping(session); // what was asked before may have it written by now
  CHECK((status == 503 || status == 200));
  of.a.hearAllOf(of.b);
  CHECK(of.b.ping(session) == 200);
  CHECK(of.b.inSession(session, noticeText("notifications/initialized")).status() == 202);
  CHECK(of.b.erase(session).status() == 204);
  CHECK(of.a.ping(session) == 404);
}

TEST_CASE("an id that says when it was opened is believed for minutes, not for ever") {
  TwoReplicas of;
  const std::string written = of.a.open();
  CHECK(written.size() == 32); // it says so only where it has to
  const std::string nobody(32, 'a');
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const auto openedAt = [&](std::chrono::seconds when) {
    return nobody + "-" + std::to_string(when.count());
  };
  CHECK(of.a.ping(openedAt(now)) == 503);
  CHECK(of.a.ping(openedAt(now - std::chrono::minutes(9))) == 503);
  CHECK(of.a.ping(openedAt(now - std::chrono::minutes(11))) == 404);
  CHECK(of.a.ping(openedAt(now + std::chrono::hours(1))) == 404);
  for (const char *mark : {"-", "-x", "-1x", "--1", "1", "-99999999999999999999999999"})
    CHECK(of.a.ping(nobody + mark) == 404);
  CHECK(of.b.ping(written + "-1") == 200);
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
  // Both replicas have told the first change to all of their sessions: none is left of it.
  of.b.hearAllOf(of.a);
  std::size_t count = 0;
  for (const auto &[id, data] : stream.exchange->events)
    if (data.find("notifications/resources/list_changed") != data.npos) ++count;
  CHECK(count == 3); // the first when it began to listen here
}

TEST_CASE("sessions of nobody that are ended for want of room leave the engine too") {
  const auto engine = std::make_shared<StateEngine>();
  HttpRules rules;
  rules.sessions = 10; // of one network two
  Replica a(engine, rules), b(engine, HttpRules{});
  const auto records = [&] {
    const std::scoped_lock lock(engine->mutex);
    std::size_t count = 0;
    for (const auto &[key, value] : engine->values)
      if (key.find("session/") != key.npos) ++count;
    return count;
  };
  const std::string first = a.open(), used = a.open();
  CHECK(b.ping(used) == 200);
  std::string last;
  for (int i = 0; i < 20; ++i) last = a.open();
  CHECK(records() == 2);
  CHECK(a.ping(first) == 404);
  CHECK(b.ping(first) == 404);
  CHECK(b.ping(last) == 200);
  CHECK(b.ping(used) == 200); // who has it writes it again
  CHECK(records() == 3);
}

TEST_CASE("capabilities that are too large to be shared are refused") {
  TwoReplicas of;
  const auto initialize = [&](std::size_t size) {
    return of.a.post(requestText(
        "initialize",
        R"({"protocolVersion":"2025-11-25","capabilities":{"experimental":{"x":{"y":")" +
            std::string(size, 'y') + R"("}}},"clientInfo":{"name":"t","version":"1"}})"));
  };
  // A long message is read on a thread of its own.
  const Asked taken = initialize(15U << 10U), refused = initialize(17U << 10U);
  taken.exchange->wait();
  refused.exchange->wait();
  CHECK(taken.status() == 200);
  CHECK(refused.status() == 413);
  CHECK(refused.body().at("id") == 7);
  const std::string message = refused.body().at("error").at("message");
  CHECK(message.find("params.capabilities") != message.npos);
  const std::scoped_lock lock(of.engine->mutex);
  CHECK(of.engine->values.size() == 1);
}
