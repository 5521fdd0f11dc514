// SPDX-License-Identifier: Apache-2.0
// Tests decisions in an engine that may lose data, hold foreign values, be full or be unreachable.
#include "catch2.hpp"
#include "decision_texts.hpp"
#include "engine_decisions.hpp"
#include "review/reviews.hpp"
#include "skills_in_memory.hpp"
#include "state/shared_state.hpp"
#include "state_in_memory.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

using DecisionPointer = EngineDecisions::DecisionPointer;

Decision decisionBy(const std::string &who, Verdict verdict, std::int64_t when = 1'700'000'000) {
  Decision decision;
  decision.verdict = verdict;
  decision.who = who;
  decision.when = when;
  if (verdict == Verdict::Approve) {
    decision.files["SKILL.md"] = {std::string(64, 'a'), 12, false};
    decision.digest = contentDigest(decision.files);
  }
  return decision;
}

const Decision approvedByAda = decisionBy("ada", Verdict::Approve),
               rejectedByBob = decisionBy("bob", Verdict::Reject);

std::shared_ptr<SharedState> stateOver(const std::shared_ptr<StateEngine> &engine,
                                       char secret = 's') {
  return std::make_shared<SharedState>(
      std::make_shared<StateInMemory>(engine),
      SharedStateSettings{"test", Secret(std::string(32, secret)), 1000ms});
}

// One replica. Its files are in a folder that outlives it.
class DecisionSeat {
public:
  DecisionSeat(const std::shared_ptr<StateEngine> &engine, const std::string &files,
               char secret = 's')
      : state_(stateOver(engine, secret)),
        decisions_(state_, {files + ".json", files + ".copy", "test", 60'000ms},
                   [this](const Approvals &now) {
                     const std::scoped_lock lock(mutex_);
                     now_ = now;
                     changed_.notify_all();
                   }) {}
  ~DecisionSeat() {
    decisions_.end();
    state_->stop();
  }
  DecisionSeat(const DecisionSeat &) = delete;
  DecisionSeat &operator=(const DecisionSeat &) = delete;

  Status refresh() {
    return awaited<Done>([&](auto answer) { decisions_.refresh(std::move(answer)); });
  }
  Result<DecisionPointer> decide(const std::string &skill, const Decision &decision,
                                 const std::optional<std::string> &seen = std::nullopt) {
    return awaited<DecisionPointer>(
        [&](auto answer) { decisions_.decide(skill, decision, seen, std::move(answer)); });
  }
  Result<std::vector<std::string>> importApprovals(const Approvals &all) {
    return awaited<std::vector<std::string>>(
        [&](auto answer) { decisions_.importAll(all, std::move(answer)); });
  }
  Approvals now() const {
    const std::scoped_lock lock(mutex_);
    return now_;
  }
  bool has(const std::string &skill, const Decision &decision) const {
    const Approvals all = now();
    const auto found = all.skills.find(skill);
    return found != all.skills.end() && found->second == decision;
  }
  // Waits until a message of another replica has done it; the test's own timeout is the limit.
  void await(const Approvals &wanted) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return now_ == wanted; });
  }
  std::string problem() const { return decisions_.problem(); }

private:
  template <class T, class Ask> static Result<T> awaited(const Ask &ask) {
    const auto promise = std::make_shared<std::promise<Result<T>>>();
    auto answer = promise->get_future();
    ask([promise](Result<T> result) { promise->set_value(std::move(result)); });
    return answer.get();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Approvals now_;
  const std::shared_ptr<SharedState> state_;
  EngineDecisions decisions_;
};

struct EngineTable {
  TemporaryFolder folder;
  std::shared_ptr<StateEngine> engine = std::make_shared<StateEngine>();
  const std::string mark = "test:heartbeat";
  std::string files(const std::string &name) const { return folder.path() + '/' + name; }
  void write(const std::string &name, const Approvals &all) const {
    std::ofstream(files(name) + ".json") << all.text();
  }
  // Returns all values except the mark by which replicas notice that the engine has lost its data.
  std::map<std::string, StateEngine::Value> values() const {
    const std::scoped_lock lock(engine->mutex);
    auto all = engine->values;
    all.erase(mark);
    return all;
  }
  void put(std::map<std::string, StateEngine::Value> values) const {
    const std::scoped_lock lock(engine->mutex);
    if (const auto kept = engine->values.extract(mark)) values.emplace(mark, kept.mapped());
    engine->values = std::move(values);
  }
  // Overwrites every value whose key contains `part`.
  void spoil(const std::string &part) const {
    const std::scoped_lock lock(engine->mutex);
    for (auto &[key, value] : engine->values)
      if (key.find(part) != key.npos) value.bytes = "what another product has written";
  }
  void setFull(bool isFull) const {
    const std::scoped_lock lock(engine->mutex);
    engine->full = isFull;
  }
};

// The parts of a server: a source, whose skills wait, and reviewers.
class ReplicaDesk {
public:
  ReplicaDesk(const std::shared_ptr<StateEngine> &engine, const std::string &file)
      : state_(stateOver(engine)),
        reviews_({{{{}, TrustAction::Quarantine, {}, FindingLevel::None}}, file, {}}) {
    reviews_.shareThrough(state_, "test");
    source_ = reviews_.filtered(std::make_shared<SkillsInMemory>(SkillsInMemory::Files{
        {{"team/pdf", "SKILL.md"}, "---\nname: pdf\ndescription: d.\n---\nOne.\n"}}));
    list();
  }
  ~ReplicaDesk() { reviews_.stopSharing(); }
  ReplicaDesk(const ReplicaDesk &) = delete;
  ReplicaDesk &operator=(const ReplicaDesk &) = delete;

  std::size_t list() const {
    std::size_t documents = 0;
    source_->list({}, [&](const Result<Snapshot> &listed) {
      REQUIRE(listed);
      documents = listed->documents.size();
    });
    return documents;
  }
  Result<WrittenDecision> decide(Verdict verdict, std::optional<std::string> seen) {
    DecisionRequest request;
    request.name = "pdf";
    request.verdict = verdict;
    request.who = "ada";
    request.seen = std::move(seen);
    const auto promise = std::make_shared<std::promise<Result<WrittenDecision>>>();
    auto answer = promise->get_future();
    reviews_.decide(request, {}, [promise](Result<WrittenDecision> decided) {
      promise->set_value(std::move(decided));
    });
    return answer.get();
  }
  // Waits until the decision of another replica is in force here; the test's own timeout is the
  // limit.
  void awaitServed(std::size_t documents) const {
    while (list() != documents) std::this_thread::yield();
  }
  Reviews &reviews() { return reviews_; }

private:
  const std::shared_ptr<SharedState> state_;
  Reviews reviews_;
  std::shared_ptr<Source> source_;
};

Approvals with(std::initializer_list<std::pair<const char *, Decision>> all) {
  Approvals out;
  for (const auto &[skill, decision] : all) out.skills.emplace(skill, decision);
  return out;
}

} // namespace

TEST_CASE("decisions of the engine are counted at a start, and not told as new ones") {
  EngineTable table;
  const std::string file = table.files("approvals.json");
  {
    ReplicaDesk first(table.engine, file);
    CHECK(first.decide(Verdict::Reject, std::nullopt));
  }
  // These lines go to operators alone, so no listener receives them.
  const std::string written = table.files("log");
  const int kept = ::dup(STDERR_FILENO);
  const int opened = ::open(written.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  REQUIRE(::dup2(opened, STDERR_FILENO) == STDERR_FILENO);
  { const ReplicaDesk second(table.engine, file); }
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  ::close(opened);
  std::ifstream lines(written);
  const std::string text{std::istreambuf_iterator<char>(lines), {}};
  CHECK(text.find("1 decision in the engine") != text.npos);
  CHECK(text.find(" by ada") == text.npos);
}

TEST_CASE("a decision at one replica holds at the other, which is told of it") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one")), two(table.engine, table.files("two"));
  REQUIRE(one.refresh());
  REQUIRE(two.refresh());
  CHECK(table.values().empty()); // nobody has decided anything
  const auto first = one.decide("hub/pdf", approvedByAda);
  REQUIRE(first);
  CHECK(*first == nullptr);
  CHECK(one.has("hub/pdf", approvedByAda));
  two.await(with({{"hub/pdf", approvedByAda}}));
  const auto second = two.decide("hub/pdf", rejectedByBob, approvedByAda.id());
  REQUIRE(second);
  REQUIRE(*second);
  CHECK(**second == approvedByAda);
  one.await(with({{"hub/pdf", rejectedByBob}}));
  CHECK(one.problem().empty());
  for (const auto &[key, value] : table.values()) {
    CHECK((key + value.bytes).find("hub/pdf") == std::string::npos);
    CHECK((key + value.bytes).find("ada") == std::string::npos);
  }
}

TEST_CASE("of two who decide on one skill at once one is told of the other") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one")), two(table.engine, table.files("two"));
  REQUIRE(one.refresh());
  REQUIRE(two.refresh());
  for (int i = 0; i < 20; ++i) {
    const std::string skill = "hub/" + std::to_string(i);
    auto other =
        std::async(std::launch::async, [&] { return two.decide(skill, rejectedByBob, ""); });
    const auto own = one.decide(skill, approvedByAda, "");
    const auto others = other.get();
    CHECK(static_cast<bool>(own) != static_cast<bool>(others));
    const auto &refused = own ? others : own;
    CHECK(refused.failure().fault == Fault::Conflict);
    CHECK(refused.failure().message.find("somebody else has decided meanwhile") !=
          std::string::npos);
    for (DecisionSeat *const seat : {&one, &two}) {
      REQUIRE(seat->refresh());
      CHECK(seat->has(skill, own ? approvedByAda : rejectedByBob));
    }
  }
}

TEST_CASE("who has not seen the last decision is told of it") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one")), two(table.engine, table.files("two"));
  REQUIRE(one.decide("hub/pdf", approvedByAda, ""));
  const auto unseen = two.decide("hub/pdf", rejectedByBob, "");
  REQUIRE_FALSE(unseen);
  CHECK(unseen.failure().fault == Fault::Conflict);
  CHECK(unseen.failure().message.find("approve") != std::string::npos);
  CHECK(two.decide("hub/pdf", rejectedByBob)); // replaces any decision
}

TEST_CASE("while the engine is away nothing is decided, and what was known holds") {
  EngineTable table;
  {
    DecisionSeat one(table.engine, table.files("one"));
    REQUIRE(one.decide("hub/pdf", rejectedByBob));
    table.engine->setAway(true);
    const auto away = one.decide("hub/csv", approvedByAda);
    REQUIRE_FALSE(away);
    CHECK(away.failure().fault == Fault::Unavailable);
    CHECK(away.failure().message.find("nothing was decided") != std::string::npos);
    CHECK(one.now() == with({{"hub/pdf", rejectedByBob}}));
    CHECK(one.problem().empty());
  }
  // A start without the engine uses the last known decisions.
  DecisionSeat again(table.engine, table.files("one"));
  CHECK(again.now() == with({{"hub/pdf", rejectedByBob}}));
  CHECK_FALSE(again.refresh());
  table.engine->setAway(false);
  REQUIRE(again.refresh());
  CHECK(again.decide("hub/csv", approvedByAda));
}

TEST_CASE("the file is taken over once, and only its rejections later") {
  EngineTable table;
  table.write("one", with({{"hub/pdf", approvedByAda}, {"hub/csv", rejectedByBob}}));
  table.write(
      "two",
      with({{"hub/pdf", rejectedByBob}, {"hub/old", approvedByAda}, {"hub/bad", rejectedByBob}}));
  DecisionSeat one(table.engine, table.files("one"));
  REQUIRE(one.refresh());
  CHECK(one.now() == with({{"hub/pdf", approvedByAda}, {"hub/csv", rejectedByBob}}));
  DecisionSeat two(table.engine, table.files("two"));
  REQUIRE(two.refresh());
  const Approvals all =
      with({{"hub/pdf", approvedByAda}, {"hub/csv", rejectedByBob}, {"hub/bad", rejectedByBob}});
  CHECK(two.now() == all);
  REQUIRE(one.refresh());
  CHECK(one.now() == all);
  // Later decisions of the file do not matter.
  table.write("one", with({{"hub/new", rejectedByBob}}));
  REQUIRE(one.refresh());
  CHECK(one.now() == all);
}

TEST_CASE("a file that cannot be read is not taken for one without decisions") {
  EngineTable table;
  std::ofstream(table.files("one") + ".json") << "{";
  DecisionSeat one(table.engine, table.files("one"));
  const Status looked = one.refresh();
  REQUIRE_FALSE(looked);
  CHECK(one.problem().find("one.json") != std::string::npos);
  table.write("one", with({{"hub/pdf", rejectedByBob}}));
  REQUIRE(one.refresh());
  CHECK(one.problem().empty());
  CHECK(one.has("hub/pdf", rejectedByBob));
}

TEST_CASE("an engine that comes back empty is given what replicas know") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one"));
  REQUIRE(one.decide("hub/pdf", rejectedByBob));
  REQUIRE(one.decide("hub/csv", approvedByAda));
  table.put({});
  SECTION("by who looks") {
    REQUIRE(one.refresh());
    DecisionSeat two(table.engine, table.files("two"));
    REQUIRE(two.refresh());
    CHECK(two.now() == one.now());
  }
  SECTION("by who decides") {
    REQUIRE(one.decide("hub/xml", approvedByAda));
    DecisionSeat two(table.engine, table.files("two"));
    REQUIRE(two.refresh());
    CHECK(two.now().skills.size() == 3);
  }
  SECTION("by one that was started without it") {
    DecisionSeat again(table.engine, table.files("one"));
    REQUIRE(again.refresh());
    CHECK(again.has("hub/pdf", rejectedByBob));
    CHECK(table.values().size() == 3); // includes the index
  }
  SECTION("when it has lost one of them") {
    REQUIRE(one.refresh());
    auto values = table.values();
    std::erase_if(values, [](const auto &each) {
      return each.first.find("reviews/decision/") != std::string::npos;
    });
    table.put(values);
    const auto seen = one.decide("hub/pdf", approvedByAda, rejectedByBob.id());
    REQUIRE(seen);
    CHECK(**seen == rejectedByBob);
  }
}

TEST_CASE("an earlier state of the engine brings no withdrawn approval back") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one"));
  REQUIRE(one.decide("hub/pdf", approvedByAda));
  const auto old = table.values();
  REQUIRE(one.decide("hub/pdf", rejectedByBob));
  table.put(old);
  REQUIRE(one.refresh());
  CHECK(one.has("hub/pdf", rejectedByBob));
  DecisionSeat two(table.engine, table.files("two"));
  REQUIRE(two.refresh());
  CHECK(two.has("hub/pdf", rejectedByBob));
}

TEST_CASE("what no replica has made is left alone, told, and not served by") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one"));
  REQUIRE(one.decide("hub/pdf", rejectedByBob));
  SECTION("in place of a decision") {
    table.spoil("reviews/decision/");
    const auto refused = one.decide("hub/pdf", approvedByAda);
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message.find("no replica of this service wrote") != std::string::npos);
  }
  SECTION("in place of the index") {
    table.spoil("reviews/index/");
    REQUIRE_FALSE(one.refresh());
    CHECK(one.problem().find("no replica of this service wrote") != std::string::npos);
  }
  CHECK(one.has("hub/pdf", rejectedByBob));
}

TEST_CASE(
    "an engine that is full refuses a decision, and one whose answer is lost is asked again") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one"));
  REQUIRE(one.decide("hub/pdf", approvedByAda));
  table.setFull(true);
  const auto full = one.decide("hub/pdf", rejectedByBob);
  REQUIRE_FALSE(full);
  CHECK(full.failure().message.find("the engine is full") != std::string::npos);
  CHECK(one.has("hub/pdf", approvedByAda));
  table.setFull(false);
  REQUIRE(one.decide("hub/pdf", rejectedByBob));
  CHECK(one.has("hub/pdf", rejectedByBob));
}

TEST_CASE("replicas of another secret have decisions of their own") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one")),
      other(table.engine, table.files("other"), 'o');
  REQUIRE(one.decide("hub/pdf", approvedByAda));
  REQUIRE(other.refresh());
  CHECK(other.now() == Approvals());
  REQUIRE(other.decide("hub/pdf", rejectedByBob, ""));
  REQUIRE(one.refresh());
  CHECK(one.has("hub/pdf", approvedByAda));
  // A copy of one service is not used for another one.
  DecisionSeat changed(table.engine, table.files("one"), 'o');
  REQUIRE(changed.refresh());
  CHECK(changed.has("hub/pdf", rejectedByBob));
}

TEST_CASE("decisions are taken over from a file where there are none") {
  EngineTable table;
  DecisionSeat one(table.engine, table.files("one"));
  REQUIRE(one.decide("hub/pdf", approvedByAda));
  const auto others = one.importApprovals(
      with({{"hub/pdf", rejectedByBob}, {"hub/csv", rejectedByBob}, {"hub/xml", approvedByAda}}));
  REQUIRE(others);
  CHECK(*others == std::vector<std::string>{"hub/pdf"});
  CHECK(one.now() ==
        with({{"hub/pdf", approvedByAda}, {"hub/csv", rejectedByBob}, {"hub/xml", approvedByAda}}));
  CHECK(one.importApprovals(one.now())->empty());
}

TEST_CASE("who waits when the server ends is answered") {
  EngineTable table;
  auto one = std::make_unique<DecisionSeat>(table.engine, table.files("one"));
  REQUIRE(one->refresh());
  table.engine->setSilent(true);
  auto soon = std::async(std::launch::async, [&] { return one->decide("hub/pdf", approvedByAda); });
  table.engine->setSilent(false);
  const auto decided = soon.get();
  if (!decided) CHECK(decided.failure().fault == Fault::Unavailable);
  one.reset();
}

TEST_CASE("reviewers decide in the engine, and are told when it is away") {
  EngineTable table;
  ReplicaDesk one(table.engine, table.files("one.json")),
      two(table.engine, table.files("two.json"));
  const Result<WrittenDecision> approved = one.decide(Verdict::Approve, "");
  REQUIRE(approved);
  CHECK(one.list() == 1);
  CHECK_FALSE(std::filesystem::exists(table.files("one.json")));
  CHECK(one.reviews().decisionsPlace().find("engine") != std::string::npos);
  two.awaitServed(1);
  table.engine->setAway(true);
  const Result<WrittenDecision> alone = two.decide(Verdict::Reject, approved->decision->id());
  REQUIRE_FALSE(alone);
  CHECK(alone.failure().fault == Fault::Unavailable);
  CHECK(two.list() == 1);
  table.engine->setAway(false);
  REQUIRE(two.decide(Verdict::Reject, approved->decision->id()));
  CHECK(two.list() == 0);
  one.awaitServed(0);
  CHECK(one.reviews().sharingProblem().empty());
  CHECK(one.reviews().problem().empty());
  // A replica that starts later knows the decisions before it lists anything.
  ReplicaDesk three(table.engine, table.files("three.json"));
  const auto known = three.reviews().decision(approved->review->id);
  REQUIRE(known);
  CHECK(known->verdict == Verdict::Reject);
  CHECK(three.reviews().approvals()->skills.size() == 1);
}

TEST_CASE("texts of decisions are read as they were written, and nothing else is") {
  const DecisionIndex index{7, {"hub/csv", "hub/pdf"}};
  const auto read = readIndex(indexText(index));
  REQUIRE(read);
  CHECK(read->changes == 7);
  CHECK(read->skills == index.skills);
  const NumberedDecision decision{7, approvedByAda};
  const auto again = readDecision(decisionText("hub/pdf", decision), "hub/pdf");
  REQUIRE(again);
  CHECK(again->number == 7);
  CHECK(again->decision == approvedByAda);
  CHECK_FALSE(readDecision(decisionText("hub/pdf", decision), "hub/csv"));
  const NumberedDecisions all{{"hub/csv", {3, rejectedByBob}}, {"hub/pdf", {7, approvedByAda}}};
  const auto copy = readCopy(copyText("service", all), "service");
  REQUIRE(copy);
  CHECK(copy->at("hub/pdf").number == 7);
  CHECK(copy->at("hub/csv").decision == rejectedByBob);
  CHECK(readCopy(copyText("service", all), "other").failure().fault == Fault::NotFound);
  for (const char *const wrong :
       {"", "{}", R"({"version":2,"changes":1,"skills":[]})",
        R"({"version":1,"changes":-1,"skills":[]})", R"({"version":1,"changes":1,"skills":[1]})"})
    CHECK_FALSE(readIndex(wrong));
  for (const std::string &wrong : {std::string(), std::string("2 7\n"), std::string("1 x\n{}"),
                                   std::string("1 7\n{}"), std::string("service\n{}\n{}")}) {
    CHECK_FALSE(readDecision(wrong, "hub/pdf"));
    CHECK_FALSE(readCopy(wrong, "service"));
  }
}
