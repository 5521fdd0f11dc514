// SPDX-License-Identifier: Apache-2.0
// The files of several replicas and what they share become the same.
#include "catch2.hpp"
#include "review/approvals.hpp"
#include "review/reviews.hpp"
#include "shared_decisions.hpp"
#include "skills_in_memory.hpp"
#include "state_in_memory.hpp"
#include "temporary_folder.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

Decision rejection(const std::string &who, std::int64_t when = 1'700'000'000) {
  Decision decision;
  decision.who = who;
  decision.when = when;
  return decision;
}

Decision approvalOf(const std::string &who, std::size_t files = 1) {
  Decision decision = rejection(who);
  decision.verdict = Verdict::Approve;
  for (std::size_t i = 0; i < files; ++i)
    decision.files["file-" + std::to_string(i)] = {std::string(64, 'a'), i, false};
  decision.digest = contentDigest(decision.files);
  return decision;
}

std::shared_ptr<SharedState> stateOver(const std::shared_ptr<StateEngine> &engine,
                                       char secret = 's') {
  return std::make_shared<SharedState>(
      std::make_shared<StateInMemory>(engine),
      SharedStateSettings{"test", Secret(std::string(32, secret)), 1000ms});
}

// One replica, whose file is in a folder that outlives it.
class Seat {
public:
  Seat(const std::shared_ptr<StateEngine> &engine, std::string file, std::string service = "test",
       char secret = 's')
      : file_(std::move(file)), state_(stateOver(engine, secret)),
        sharing_(state_, {file_, std::move(service), 60'000ms}, [this] { ++written; }) {}
  ~Seat() { sharing_.end(); }
  Seat(const Seat &) = delete;
  Seat &operator=(const Seat &) = delete;

  Status agree() {
    const auto answer = std::make_shared<std::promise<Status>>();
    sharing_.agree([answer](const Status &status) { answer->set_value(status); });
    return answer->get_future().get();
  }
  void decide(const std::string &skill, const std::optional<Decision> &decision) {
    REQUIRE(changeApprovals(file_, [&](Approvals &all) -> Status {
      if (decision)
        all.skills[skill] = *decision;
      else
        all.skills.erase(skill);
      return Done{};
    }));
  }
  Approvals file() const {
    Result<Approvals> read = Approvals::read(file_);
    return read ? *std::move(read) : Approvals();
  }
  // Waits until a message of another replica has done it; the test's own timeout is the limit.
  void await(const Approvals &wanted) const {
    while (file() != wanted) std::this_thread::sleep_for(1ms);
  }
  SharedDecisions &sharing() { return sharing_; }

  std::atomic<int> written{0};

private:
  const std::string file_;
  const std::shared_ptr<SharedState> state_;
  SharedDecisions sharing_;
};

struct Table {
  TemporaryFolder folder;
  std::shared_ptr<StateEngine> engine = std::make_shared<StateEngine>();
  std::string file(const std::string &name) const { return folder.path() + '/' + name; }
  // Where the document is.
  std::string place() const {
    return "test:reviews/decisions/" + stateOver(engine)->keyed("decisions key", {}).substr(0, 16);
  }
  // Of the document, sealed.
  std::string value() const {
    const std::string where = place();
    const std::scoped_lock lock(engine->mutex);
    return engine->values.at(where).bytes;
  }
  void put(const std::string &value) const {
    const std::string where = place();
    const std::scoped_lock lock(engine->mutex);
    engine->values[where] = {value};
  }
  void empty() const {
    const std::scoped_lock lock(engine->mutex);
    engine->values.clear();
  }
};

} // namespace

TEST_CASE("a decision at one replica is in the file of the other, which is told of it") {
  Table table;
  Seat one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
  REQUIRE(one.agree());
  REQUIRE(two.agree());
  CHECK_FALSE(std::filesystem::exists(table.file("one.json"))); // nobody has decided anything
  one.decide("hub/pdf", approvalOf("ada"));
  REQUIRE(one.agree());
  CHECK(one.written == 0);
  two.await(one.file());
  two.decide("hub/pdf", std::nullopt);
  REQUIRE(two.agree());
  one.await({});
  CHECK(one.sharing().problem().empty());
}

TEST_CASE("two that decide at once come to the same, and lose nothing of others") {
  Table table;
  Seat one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
  REQUIRE(one.agree());
  REQUIRE(two.agree());
  {
    // Neither hears of the other until both have decided.
    table.engine->setAway(true);
    one.decide("hub/pdf", approvalOf("ada"));
    one.decide("hub/one", rejection("ada"));
    two.decide("hub/pdf", rejection("bob"));
    two.decide("hub/two", approvalOf("bob"));
    const Status away = one.agree();
    REQUIRE_FALSE(away);
    CHECK(away.failure().fault == Fault::Unavailable);
    CHECK(one.sharing().problem().empty()); // that is told elsewhere
    table.engine->setAway(false);
  }
  bool hasAgreed = false;
  std::thread other([&] { hasAgreed = static_cast<bool>(two.agree()); });
  CHECK(one.agree());
  other.join();
  CHECK(hasAgreed);
  CHECK(two.agree());
  CHECK(one.agree());
  const Approvals all = one.file();
  CHECK(all == two.file());
  CHECK(all.skills.size() == 3);
  CHECK(all.skills.at("hub/pdf").verdict == Verdict::Reject);
}

TEST_CASE("what was agreed on outlives the replica and the engine") {
  Table table;
  {
    Seat one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
    one.decide("hub/pdf", approvalOf("ada"));
    REQUIRE(one.agree());
    REQUIRE(two.agree());
  }
  {
    // Withdrawn while the other one is down.
    Seat one(table.engine, table.file("one.json"));
    one.decide("hub/pdf", std::nullopt);
    one.decide("hub/csv", approvalOf("ada"));
    REQUIRE(one.agree());
  }
  SECTION("the engine has it") {
    Seat two(table.engine, table.file("two.json"));
    REQUIRE(two.agree());
    CHECK(two.file().skills.size() == 1);
    CHECK(two.file().skills.contains("hub/csv"));
  }
  SECTION("the engine is empty, and the one that was down comes first") {
    table.empty();
    Seat two(table.engine, table.file("two.json"));
    REQUIRE(two.agree());
    CHECK(two.file().skills.contains("hub/pdf")); // it cannot know
    Seat one(table.engine, table.file("one.json"));
    REQUIRE(one.agree());
    two.await(one.file());
    CHECK(one.file().skills.size() == 1);
    CHECK(one.file().skills.contains("hub/csv"));
  }
  SECTION("what is known of another service is not known of this one") {
    Seat two(table.engine, table.file("two.json"), "other");
    REQUIRE(two.agree());
    CHECK(two.file().skills.size() == 1);
    CHECK(two.file().skills.contains("hub/csv"));
  }
  SECTION("a file that is gone is written anew") {
    std::filesystem::remove(table.file("one.json"));
    Seat one(table.engine, table.file("one.json"));
    REQUIRE(one.agree());
    CHECK(one.file().skills.contains("hub/csv"));
    CHECK(one.written == 1);
  }
}

TEST_CASE("an earlier value that somebody puts back into the engine brings back no approval") {
  Table table;
  Seat one(table.engine, table.file("one.json"));
  one.decide("hub/pdf", approvalOf("ada"));
  REQUIRE(one.agree());
  const std::string before = table.value();
  one.decide("hub/pdf", std::nullopt);
  REQUIRE(one.agree());
  const std::string last = table.value();
  table.put(before);
  REQUIRE(one.agree());
  CHECK(one.file().skills.empty());
  CHECK(table.value() == last);
}

TEST_CASE("what no replica has written is left as it is, and so is the file") {
  Table table;
  Seat one(table.engine, table.file("one.json"));
  one.decide("hub/pdf", approvalOf("ada"));
  SECTION("another product's value") { table.put("something else"); }
  SECTION("of a later version") {
    const auto later = stateOver(table.engine);
    later->put(table.place().substr(std::string("test:").size()), "skillhost.decisions 2\nanything",
               {}, nullptr);
  }
  const std::string there = table.value();
  const Status refused = one.agree();
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().fault == Fault::OperationFailed);
  CHECK_FALSE(one.sharing().problem().empty());
  CHECK(one.file().skills.contains("hub/pdf"));
  CHECK(table.value() == there);
  table.empty();
  REQUIRE(one.agree());
  CHECK(one.sharing().problem().empty());
}

TEST_CASE("replicas with another secret begin anew, and are not kept from it by what is there") {
  Table table;
  {
    Seat one(table.engine, table.file("one.json"));
    one.decide("hub/pdf", approvalOf("ada"));
    REQUIRE(one.agree());
  }
  Seat one(table.engine, table.file("one.json"), "test", 't');
  Seat two(table.engine, table.file("two.json"), "test", 't');
  REQUIRE(one.agree());
  REQUIRE(two.agree());
  CHECK(two.file() == one.file());
  CHECK(two.file().skills.contains("hub/pdf"));
}

TEST_CASE("more than the engine may hold is not shared, until it is less") {
  Table table;
  Seat one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
  one.decide("hub/large", approvalOf("ada", 12'000));
  REQUIRE_FALSE(one.agree());
  CHECK(one.sharing().problem().find("can be shared") != std::string::npos);
  REQUIRE(two.agree());
  one.decide("hub/large", approvalOf("ada", 100));
  REQUIRE(one.agree());
  two.await(one.file());
  CHECK(two.file().skills.contains("hub/large"));
}

TEST_CASE("a replica that has more than can be shared takes what others reject") {
  Table table;
  Seat one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
  one.decide("hub/pdf", approvalOf("ada"));
  one.decide("hub/csv", rejection("ada"));
  REQUIRE(one.agree());
  two.await(one.file());
  one.decide("hub/large", approvalOf("ada", 12'000));
  one.decide("hub/csv", std::nullopt);
  REQUIRE_FALSE(one.agree());
  two.decide("hub/pdf", rejection("bob"));
  two.decide("hub/xml", rejection("bob"));
  two.decide("hub/new", approvalOf("bob"));
  REQUIRE(two.agree());
  REQUIRE_FALSE(one.agree());
  Approvals now = one.file();
  CHECK(now.skills.at("hub/pdf").verdict == Verdict::Reject);
  CHECK(now.skills.contains("hub/xml"));
  CHECK(now.skills.contains("hub/large"));
  CHECK_FALSE(now.skills.contains("hub/new"));
  CHECK_FALSE(now.skills.contains("hub/csv")); // withdrawn here since all have agreed on it
  CHECK(one.written > 0);
  CHECK_FALSE(one.sharing().problem().empty());
  // What was left is agreed on once it can be.
  one.decide("hub/large", std::nullopt);
  REQUIRE(one.agree());
  two.await(one.file());
  now = two.file();
  CHECK(now.skills.size() == 3);
  CHECK(now.skills.contains("hub/new"));
  CHECK(now.skills.at("hub/pdf").verdict == Verdict::Reject);
}

TEST_CASE("an engine that takes nothing is told of, until it does") {
  Table table;
  Seat one(table.engine, table.file("one.json"));
  const auto fill = [&](bool isFull) {
    const std::scoped_lock lock(table.engine->mutex);
    table.engine->full = isFull;
  };
  fill(true);
  one.decide("hub/pdf", approvalOf("ada"));
  REQUIRE_FALSE(one.agree());
  CHECK(one.sharing().problem() == "the engine is full");
  fill(false);
  REQUIRE(one.agree());
  CHECK(one.sharing().problem().empty());
}

TEST_CASE("what was put, and its answer lost, does not come back once it is withdrawn") {
  Table table;
  Seat one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
  const auto trouble = [&](bool isForgetful, bool isFull) {
    const std::scoped_lock lock(table.engine->mutex);
    table.engine->forgetful = isForgetful;
    table.engine->full = isFull;
  };
  REQUIRE(one.agree());
  REQUIRE(two.agree());
  two.decide("hub/csv", rejection("bob"));
  trouble(true, false);
  one.decide("hub/pdf", approvalOf("ada"));
  REQUIRE_FALSE(one.agree());
  one.decide("hub/xml", approvalOf("ada"));
  // From here on it looks by itself, too, since the engine is found to be there.
  SECTION("once") {}
  SECTION("twice") { static_cast<void>(one.agree()); }
  SECTION("and the last one was not done") {
    trouble(true, true);
    static_cast<void>(one.agree());
  }
  trouble(false, false);
  one.decide("hub/pdf", std::nullopt);
  REQUIRE(two.agree());
  REQUIRE(one.agree());
  two.await(one.file());
  CHECK_FALSE(one.file().skills.contains("hub/pdf"));
  CHECK(one.file().skills.contains("hub/xml"));
  CHECK(one.file().skills.contains("hub/csv"));
}

TEST_CASE("a damaged file is left as it is until it is mended") {
  Table table;
  Seat one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
  one.decide("hub/pdf", rejection("ada"));
  REQUIRE(one.agree());
  two.await(one.file());
  const auto write = [&](const std::string &text) {
    std::ofstream(table.file("two.json"), std::ios::trunc) << text;
  };
  write("{ no JSON");
  REQUIRE_FALSE(two.agree());
  one.decide("hub/csv", rejection("ada"));
  REQUIRE(one.agree());
  REQUIRE_FALSE(two.agree());
  CHECK(std::filesystem::file_size(table.file("two.json")) == 9);
  // Somebody takes the first one out along the way.
  write(R"({"skillhost.approvals": 1, "skills": {}})");
  REQUIRE(two.agree());
  one.await(two.file());
  CHECK(two.file().skills.size() == 1);
  CHECK(two.file().skills.contains("hub/csv"));
}

TEST_CASE("who waits is answered when the replica ends") {
  Table table;
  Seat one(table.engine, table.file("one.json"));
  one.sharing().end();
  const Status status = one.agree();
  REQUIRE_FALSE(status);
  CHECK(status.failure().fault == Fault::Cancelled);
}

namespace {

// What a server has: a source, whose skills wait, and reviewers.
class Server {
public:
  Server(const std::shared_ptr<StateEngine> &engine, const std::string &file)
      : state_(stateOver(engine)),
        reviews_({{{{}, TrustAction::Quarantine, {}, FindingLevel::None}}, file, {}}) {
    reviews_.shareBy(state_, "test");
    source_ = reviews_.held(std::make_shared<SkillsInMemory>(SkillsInMemory::Files{
        {{"team/pdf", "SKILL.md"}, "---\nname: pdf\ndescription: d.\n---\nOne.\n"}}));
    list();
  }
  ~Server() { reviews_.stopSharing(); }
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  std::size_t list() const {
    std::size_t documents = 0;
    source_->list({}, [&](const Result<Snapshot> &listed) {
      REQUIRE(listed);
      documents = listed->documents.size();
    });
    return documents;
  }
  Result<WrittenDecision> decide(Verdict verdict, std::optional<std::string> seen = std::nullopt) {
    return begin(verdict, std::move(seen)).get();
  }
  std::future<Result<WrittenDecision>> begin(Verdict verdict,
                                             std::optional<std::string> seen = std::nullopt) {
    DecisionRequest request;
    request.name = "pdf";
    request.verdict = verdict;
    request.who = "ada";
    request.seen = std::move(seen);
    const auto answer = std::make_shared<std::promise<Result<WrittenDecision>>>();
    reviews_.decide(request, {}, [answer](Result<WrittenDecision> decided) {
      answer->set_value(std::move(decided));
    });
    return answer->get_future();
  }
  // Waits until what another one has decided holds here.
  void awaitServed(std::size_t documents) const {
    while (list() != documents) std::this_thread::sleep_for(1ms);
  }
  Reviews &reviews() { return reviews_; }

private:
  const std::shared_ptr<SharedState> state_;
  Reviews reviews_;
  std::shared_ptr<Source> source_;
};

} // namespace

TEST_CASE(
    "a decision is answered once the other replicas can know of it, or says that they cannot") {
  Table table;
  Server one(table.engine, table.file("one.json")), two(table.engine, table.file("two.json"));
  const Result<WrittenDecision> approved = one.decide(Verdict::Approve, "");
  REQUIRE(approved);
  CHECK(approved->remark.empty());
  CHECK(one.list() == 1);
  // Another one looks at the decisions of all before it compares them with what was seen.
  const Result<WrittenDecision> unseen = two.decide(Verdict::Reject, "");
  REQUIRE_FALSE(unseen);
  CHECK(unseen.failure().fault == Fault::Conflict);
  two.awaitServed(1);
  table.engine->setAway(true);
  const Result<WrittenDecision> alone = two.decide(Verdict::Reject, approved->decision->id());
  REQUIRE(alone);
  CHECK(alone->remark.find("the others do not know of it yet") != std::string::npos);
  CHECK(two.list() == 0);
  CHECK(one.list() == 1);
  table.engine->setAway(false);
  one.awaitServed(0);
  CHECK(one.reviews().sharingProblem().empty());
  // One that comes later knows what was decided before it lists anything.
  Server three(table.engine, table.file("three.json"));
  const auto known = three.reviews().decision(approved->review->id);
  REQUIRE(known);
  CHECK(known->verdict == Verdict::Reject);
}

TEST_CASE("a decision that meets the end of the server is told to be kept here alone") {
  Table table;
  Server one(table.engine, table.file("one.json"));
  table.engine->setSilent(true);
  std::future<Result<WrittenDecision>> soon = one.begin(Verdict::Approve);
  one.reviews().stopSharing();
  const Result<WrittenDecision> decided = soon.get();
  table.engine->setSilent(false);
  REQUIRE(decided);
  CHECK(decided->remark.find("the others do not know of it yet") != std::string::npos);
}

TEST_CASE("a file that cannot be written is not shared") {
  Table table;
  Reviews reviews({{{{}, TrustAction::Quarantine, {}, FindingLevel::None}},
                   table.file("nowhere/approvals.json"),
                   {}});
  reviews.shareBy(stateOver(table.engine), "test");
  CHECK(reviews.sharingProblem().empty());
  const std::scoped_lock lock(table.engine->mutex);
  CHECK(table.engine->values.empty());
  CHECK(table.engine->operations == 0);
}
