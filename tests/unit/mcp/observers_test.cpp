// SPDX-License-Identifier: Apache-2.0
// These tests show the events that observers receive, and that none receives an unwanted one.
#include "access/access.hpp"
#include "plugin/observer.hpp"
#include "reader.hpp"

using namespace skillhost;

namespace {

// Records the events that it receives.
class Diary final : public Observer {
public:
  explicit Diary(EventMask wants) : Observer(wants) {}
  void callEnded(const UseView &use) noexcept override { note("call", use); }
  void refused(const UseView &use) noexcept override { note("refused", use); }
  ObserverState state(EventMask /*events*/) const override { return {fails, lost}; }

  std::vector<std::string> told;
  bool fails = false;
  std::uint64_t lost = 0;

private:
  void note(const std::string &what, const UseView &use) {
    told.push_back(what + ' ' + std::to_string(static_cast<int>(use.kind)) + ' ' +
                   std::string(use.skill) + ' ' + std::string(use.outcome) + ' ' +
                   std::string(use.text) + ' ' + std::string(use.person));
  }
};

struct Observed {
  explicit Observed(EventMask wants)
      : diary(std::make_shared<Diary>(wants)),
        of(std::make_shared<SkillsInMemory>(threeSkills()), ServerOfTest::settings(),
           {Observers({diary}), {}}),
        client(of) {
    client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                             R"("clientInfo":{"name":"t","version":"1"}})");
  }
  void load(const std::string &skill) {
    client.ask("tools/call",
               R"({"name":"load_skill","arguments":{"skill_name":")" + skill + R"("}})");
  }

  std::shared_ptr<Diary> diary;
  ServerOfTest of;
  StdioClient client;
};

} // namespace

TEST_CASE("an observer of calls is told of each use once, and of nothing else") {
  Observed all(event::callEnded);
  all.load("greeter");
  all.load("greeter");
  all.load("no-such-skill");
  all.client.ask("tools/list");
  CHECK(all.diary->told == std::vector<std::string>{"call 0 greeter ok  ",
                                                    "call 0 greeter unchanged  ",
                                                    "call 0  NOT_FOUND no-such-skill "});
}

TEST_CASE("who wants no calls is told of none") {
  Observed none(event::refused | event::auditRecord);
  none.load("greeter");
  CHECK(none.diary->told.empty());
}

TEST_CASE("an observer of refusals is told who was refused, and with what") {
  const auto diary = std::make_shared<Diary>(event::refused);
  const Access access({}, std::make_shared<KnownTokens>(Tokens{}), Observers({diary}));
  const Principal ada{"ada", "house", {}, {}, 0};
  CHECK(access.check(Permission::Manage, {.method = "tools/call", .principal = &ada}));
  access.refuse({Fault::Unauthenticated, "unknown token"}, {});
  access.refuse({Fault::Cancelled, "the client has gone"}, {});
  CHECK(diary->told == std::vector<std::string>{"refused 3  OPERATION_FAILED  ada",
                                                "refused 3  OPERATION_FAILED  "});
}

TEST_CASE("the state of several observers is that of those who want the events") {
  const auto one = std::make_shared<Diary>(event::auditRecord);
  const auto other = std::make_shared<Diary>(event::auditRecord | event::refused);
  const auto calls = std::make_shared<Diary>(event::callEnded);
  const Observers all({one, other, calls});
  CHECK_FALSE(all.state(event::auditRecord).failing);
  calls->fails = true;
  one->lost = 2;
  other->lost = 3;
  CHECK_FALSE(all.state(event::auditRecord).failing);
  CHECK(all.state(event::auditRecord).lost == 5);
  other->fails = true;
  CHECK(all.state(event::auditRecord).failing);
  CHECK(all.anyWants(event::callEnded));
  CHECK_FALSE(Observers({one}).anyWants(event::callEnded));
  CHECK_FALSE(Observers().anyWants(event::auditRecord));
}
