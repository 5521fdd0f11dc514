// SPDX-License-Identifier: Apache-2.0
#include "awaited.hpp"
#include "catch2.hpp"
#include "gathering/usage_gathering.hpp"
#include "state_in_memory.hpp"
#include "temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

constexpr const char *channelOfTest = "usage";

// Waited for as long as it takes, but for those that are to be missing.
GatheringRules patient() {
  GatheringRules rules;
  rules.firstWord = 60s;
  rules.patience = 60s;
  return rules;
}

std::shared_ptr<SharedState> stateOver(const std::shared_ptr<StateInMemory> &backend) {
  return std::make_shared<SharedState>(backend,
                                       SharedStateSettings{"test", Secret(std::string(32, 's'))});
}

std::string listIn(SharedState &state) {
  std::string text;
  state.get("usage/replicas", {}, [&](const Result<std::optional<std::string>> &list) {
    if (list && *list) text = **list;
  });
  return text;
}

struct GatheringReplica {
  GatheringReplica(const std::shared_ptr<StateEngine> &engine, const std::string &path,
                   const GatheringRules &rules = patient())
      : backend(std::make_shared<StateInMemory>(engine)), state(stateOver(backend)),
        usage(std::make_shared<UsageRecorder>(settings(path), quick())),
        gathering(std::make_unique<UsageGathering>(state, usage, rules)) {
    awaitListed();
  }
  ~GatheringReplica() {
    gathering->stop();
    state->stop();
  }
  GatheringReplica(const GatheringReplica &) = delete;
  GatheringReplica &operator=(const GatheringReplica &) = delete;

  static UsageRules quick() {
    UsageRules rules;
    rules.pause = 1ms;
    return rules;
  }
  UsageSettings settings(const std::string &path) const {
    UsageSettings made;
    made.path = path;
    made.keepDays = 36'500;
    made.key = state->keyFor("principals in the figures of use");
    return made;
  }

  void awaitListed() const {
    while (listIn(*state).find(id()) == std::string::npos) std::this_thread::yield();
  }
  // Which file it writes: that is put down by the thread that reads it.
  std::string awaitFile() const {
    std::string file;
    for (; file.empty(); std::this_thread::yield())
      state->get("usage/replica/" + id(), {}, [&](const Result<std::optional<std::string>> &found) {
        if (found && *found) file = **found;
      });
    return file;
  }

  void record(const std::string &skill, const std::string &person, int times = 1) const {
    for (int i = 0; i < times; ++i) {
      UseEvent event;
      event.skill = skill;
      event.source = "shared";
      event.path = skill;
      event.person = person;
      event.client = "editor";
      usage->record(std::move(event));
    }
    REQUIRE(usage->flush(60s));
  }

  std::future<Result<Json>> ask(std::function<bool()> isEnough = {}) const {
    const auto answer = std::make_shared<std::promise<Result<Json>>>();
    gathering->summarize({}, {}, UsageOf::All, std::move(isEnough),
                         [answer](Result<Json> summary) { answer->set_value(std::move(summary)); });
    return answer->get_future();
  }
  Json summary() const {
    const Result<Json> answer = ask().get();
    if (!answer) FAIL(answer.failure().message);
    return *answer;
  }
  const std::string &id() const { return state->replica(); }

  std::shared_ptr<StateInMemory> backend;
  std::shared_ptr<SharedState> state;
  std::shared_ptr<UsageRecorder> usage;
  std::unique_ptr<UsageGathering> gathering;
};

struct GatheringHouse {
  TemporaryFolder folder;
  std::shared_ptr<StateEngine> engine = std::make_shared<StateEngine>();
  std::string file(const std::string &name) const {
    return folder.path() + '/' + name + "/usage.sqlite";
  }
};

// One that is there by the list, and says of a question what a test has it say.
struct StrangeReplica {
  StrangeReplica(const std::shared_ptr<StateEngine> &engine, const std::string &file)
      : backend(std::make_shared<StateInMemory>(engine)), state(stateOver(backend)) {
    state->put("usage/replica/" + state->replica(), file, {}, nullptr);
    state->get("usage/replicas", {}, [&](const Result<std::optional<std::string>> &before) {
      Json list = before && *before ? Json::parse(**before) : Json::array();
      list.push_back(state->replica());
      state->put("usage/replicas", list.dump(), {}, nullptr);
    });
  }
  ~StrangeReplica() { state->stop(); }
  StrangeReplica(const StrangeReplica &) = delete;
  StrangeReplica &operator=(const StrangeReplica &) = delete;

  void answerWith(std::function<Json(const std::string &question)> told) {
    state->listen(channelOfTest, {[this, told = std::move(told)](std::string_view text) {
                                    const Json message = Json::parse(text);
                                    if (message.contains("over")) over = true;
                                    if (!message.contains("ask")) return;
                                    asked = true;
                                    Json answer = told(message["ask"].get<std::string>());
                                    if (answer.empty()) return;
                                    answer["told"] = message["ask"];
                                    answer["from"] = state->replica();
                                    state->publish(channelOfTest, answer.dump());
                                  },
                                  [] {}});
  }
  void put(const std::string &question, std::size_t part, const std::string &bytes) const {
    state->put("usage/cells/" + question + '/' + state->replica() + '/' + std::to_string(part),
               bytes, {}, nullptr);
  }

  const std::string &id() const { return state->replica(); }

  std::shared_ptr<StateInMemory> backend;
  std::shared_ptr<SharedState> state;
  std::atomic<bool> asked{false}, over{false};
};

Json namesOf(const std::vector<std::string> &ids) { return ids; }

} // namespace

TEST_CASE("each replica tells what all of them have recorded") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one")), two(house.engine, house.file("two")),
      three(house.engine, house.file("three"));
  one.record("pdf", "ada", 2);
  two.record("pdf", "ada", 3);
  two.record("chart", "bob");
  for (const GatheringReplica *asked : {&one, &two, &three}) {
    const Json summary = asked->summary();
    CHECK(summary["totals"]["loads"] == 6);
    CHECK(summary["skills"].at(0)["loads"] == 5);
    CHECK(summary["skills"].at(0)["principals"] == 1); // one person has one hash
    CHECK(summary["principals"].size() == 2);
    CHECK(summary["replicas"] == Json{{"asked", 3}, {"answered", 3}, {"missing", Json::array()}});
  }
  // Nothing of it is left in the engine.
  const std::scoped_lock lock(house.engine->mutex);
  for (const auto &[key, value] : house.engine->values)
    CHECK(key.find("usage/cells/") == std::string::npos);
}

TEST_CASE("an answer of many parts comes whole, and one that is too large is missing") {
  const GatheringHouse house;
  GatheringRules parts = patient();
  parts.partBytes = 1'000;
  const GatheringReplica one(house.engine, house.file("one"), parts),
      two(house.engine, house.file("two"), parts);
  for (int i = 0; i < 300; ++i) two.record("skill-" + std::to_string(i), "ada");
  CHECK(one.summary()["totals"]["loads"] == 300);

  GatheringRules small = patient();
  small.mostBytes = 2'000;
  const GatheringReplica three(house.engine, house.file("three"), small);
  for (int i = 0; i < 300; ++i) three.record("skill-" + std::to_string(i), "bob");
  const Json summary = one.summary();
  CHECK(summary["totals"]["loads"] == 300);
  CHECK(summary["replicas"]["missing"] == namesOf({three.id()}));
  CHECK(summary["replicas"]["answered"] == 2);
}

TEST_CASE("replicas that share a file are counted once, also when only one of them answers") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("shared"));
  one.record("pdf", "ada", 4);
  const GatheringReplica two(house.engine, house.file("shared")),
      three(house.engine, house.file("three"));
  three.record("pdf", "ada");
  for (const GatheringReplica *asked : {&one, &two, &three}) {
    const Json summary = asked->summary();
    CHECK(summary["totals"]["loads"] == 5);
    CHECK(summary["replicas"]["answered"] == 3);
  }
  const std::string file = two.awaitFile();
  CHECK(file.size() == 32);
  StrangeReplica silent(house.engine, file);
  silent.answerWith([](const std::string &) { return Json{{"problem", "no"}}; });
  const Json summary = three.summary();
  CHECK(summary["totals"]["loads"] == 5);
  CHECK(summary["replicas"]["asked"] == 4);
  CHECK(summary["replicas"]["missing"].empty());
}

TEST_CASE("who does not answer is named, and is gone when its word has ended") {
  const GatheringHouse house;
  GatheringRules hasty = patient();
  hasty.firstWord = 200ms;
  const GatheringReplica one(house.engine, house.file("one"), hasty);
  one.record("pdf", "ada");
  std::string gone;
  {
    StrangeReplica silent(house.engine, "");
    silent.answerWith([](const std::string &) { return Json::object(); });
    gone = silent.state->replica();
    const Json summary = one.summary();
    CHECK(summary["totals"]["loads"] == 1);
    CHECK(summary["replicas"] == Json{{"asked", 2}, {"answered", 1}, {"missing", namesOf({gone})}});
    while (!silent.asked) std::this_thread::yield();
    silent.state->erase("usage/replica/" + gone, std::nullopt, nullptr);
  }
  CHECK(one.summary()["replicas"]["asked"] == 1);
  CHECK(listIn(*one.state).find(gone) == std::string::npos);
}

TEST_CASE("who says that it reads and never answers is missing in the end") {
  const GatheringHouse house;
  GatheringRules hasty = patient();
  hasty.patience = 200ms;
  const GatheringReplica one(house.engine, house.file("one"), hasty);
  StrangeReplica reader(house.engine, "");
  reader.answerWith([](const std::string &) { return Json{{"reading", true}}; });
  one.ask().wait(); // from then on it knows of the other one, however long it takes to look
  CHECK(one.summary()["replicas"]["missing"] == namesOf({reader.state->replica()}));
}

TEST_CASE("an orderly end takes a replica off the list") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one"));
  { const GatheringReplica two(house.engine, house.file("two")); }
  CHECK(one.summary()["replicas"] ==
        Json{{"asked", 1}, {"answered", 1}, {"missing", Json::array()}});
}

TEST_CASE("a replica that ends leaves nothing in the engine, though nobody asks") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one"));
  { const GatheringReplica two(house.engine, house.file("two")); }
  CHECK(Json::parse(listIn(*one.state)) == namesOf({one.id()}));
}

TEST_CASE("those that are gone make room in the list, though nobody asks") {
  const GatheringHouse house;
  StrangeReplica strange(house.engine, "");
  Json full = Json::array();
  for (int i = 0; i < 256; ++i) {
    std::string id = std::to_string(i);
    full.push_back(std::string(16 - id.size(), '0') + id);
  }
  strange.state->put("usage/replicas", full.dump(), {}, nullptr);
  GatheringRules rules = patient();
  rules.renewal = 10ms;
  const GatheringReplica one(house.engine, house.file("one"), rules); // waits until it is listed
  CHECK(Json::parse(listIn(*one.state)) == namesOf({one.id()}));
}

namespace {

// Keeps the thread that reads the file of a replica busy, as long as it lives.
class BusyReader {
public:
  explicit BusyReader(UsageRecorder &usage) {
    const auto begun = std::make_shared<std::promise<void>>();
    usage.gather(0, 1, 1, {}, [begun, end = end_.get_future().share()](const Result<UsageCells> &) {
      begun->set_value();
      end.wait();
    });
    begun->get_future().wait();
  }
  ~BusyReader() { end_.set_value(); }
  BusyReader(const BusyReader &) = delete;
  BusyReader &operator=(const BusyReader &) = delete;

private:
  std::promise<void> end_;
};

} // namespace

TEST_CASE("a replica says that it is there while it reads what takes long") {
  const GatheringHouse house;
  const auto state = stateOver(std::make_shared<StateInMemory>(house.engine));
  UsageSettings settings;
  settings.path = house.file("one");
  const auto usage = std::make_shared<UsageRecorder>(settings, GatheringReplica::quick());
  {
    const BusyReader busy(*usage);
    UsageGathering gathering(state, usage, patient());
    CHECK(Json::parse(listIn(*state)) == namesOf({state->replica()}));
  }
  state->stop();
}

TEST_CASE("a question that comes twice is answered once, and does not fail") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one"));
  one.record("pdf", "ada");
  StrangeReplica strange(house.engine, "");
  Awaited<Json> told;
  strange.state->listen(channelOfTest, {[&](std::string_view text) {
                                          Json message = Json::parse(text);
                                          if (message.contains("told")) told.push(message);
                                        },
                                        [] {}});
  const auto ask = [&](const std::string &question) {
    const Json message{{"ask", question}, {"from", strange.id()}, {"since", 0},
                       {"until", 1},      {"patience", 60'000},   {"file", ""}};
    strange.state->publish(channelOfTest, message.dump());
  };
  const std::string first(16, 'a'), second(16, 'b');
  {
    const BusyReader busy(*one.usage);
    for (const std::string &question : {first, first, second}) ask(question);
    for (const std::string &question : {first, second}) {
      const Json message = told.next();
      CHECK(message["told"] == question);
      CHECK(message.contains("reading"));
    }
  }
  for (const std::string &question : {first, second}) {
    const Json message = told.next();
    CHECK(message["told"] == question);
    CHECK(message.contains("parts"));
  }
  strange.state->stop();
}

TEST_CASE("an answer that cannot be read is missing") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one"));
  one.record("pdf", "ada");
  StrangeReplica strange(house.engine, "");
  std::atomic<int> round{0};
  strange.answerWith([&](const std::string &question) -> Json {
    switch (round++) {
    case 0:
      strange.put(question, 0, "not cells");
      return {{"file", "f"}, {"parts", 1}, {"bytes", 9}};
    case 1: // other bytes than it says
      strange.put(question, 0, "not cells");
      return {{"file", "f"}, {"parts", 1}, {"bytes", 10}};
    case 2: // which are not there
      return {{"file", "f"}, {"parts", 2}, {"bytes", 10}};
    case 3:
      return {{"file", "f"}, {"parts", -1}, {"bytes", "x"}};
    case 4:
      return {{"file", "f"}, {"parts", 1}, {"bytes", std::int64_t{1} << 40}};
    default:
      return {{"problem", "its disk is broken"}};
    }
  });
  for (int i = 0; i < 6; ++i) {
    INFO("answer " << i);
    const Json summary = one.summary();
    CHECK(summary["totals"]["loads"] == 1);
    CHECK(summary["replicas"]["missing"] == namesOf({strange.state->replica()}));
    CHECK(summary["replicas"]["answered"] == 1);
  }
}

TEST_CASE("while the engine is away a replica tells its own, and whom it knew") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one")), two(house.engine, house.file("two"));
  one.record("pdf", "ada");
  two.record("pdf", "bob");
  CHECK(one.summary()["totals"]["loads"] == 2);
  house.engine->setAway(true);
  for (int i = 0; i < 2; ++i) { // it finds out with the first question
    const Json summary = one.summary();
    CHECK(summary["totals"]["loads"] == 1);
    CHECK(summary["replicas"]["missing"] == namesOf({two.id()}));
    CHECK_FALSE(summary["replicas"]["problem"].get<std::string>().empty());
  }
  house.engine->setAway(false);
  while (!one.state->reachable()) std::this_thread::sleep_for(10ms);
  CHECK(one.summary()["totals"]["loads"] == 2);
}

TEST_CASE("a question that nobody waits for any more stops, at the others too") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one"));
  StrangeReplica silent(house.engine, "");
  silent.answerWith([](const std::string &) { return Json::object(); });
  std::atomic<bool> isEnough{false};
  auto answer = one.ask([&] { return isEnough.load(); });
  while (!silent.asked) std::this_thread::yield();
  isEnough = true;
  answer.wait();
  while (!silent.over) std::this_thread::yield();
}

TEST_CASE("who asks while others are asked shares the next question, and too many are refused") {
  const GatheringHouse house;
  const GatheringReplica one(house.engine, house.file("one"));
  one.record("pdf", "ada");
  StrangeReplica slow(house.engine, "");
  std::atomic<int> questions{0};
  std::atomic<bool> answers{false};
  slow.answerWith([&](const std::string &) -> Json {
    ++questions;
    while (!answers) std::this_thread::yield();
    return {{"file", ""}, {"parts", 0}, {"bytes", 0}};
  });
  std::vector<std::future<Result<Json>>> asked;
  asked.push_back(one.ask());
  while (questions == 0) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) asked.push_back(one.ask());
  answers = true;
  int refused = 0;
  for (auto &answer : asked) {
    const Result<Json> summary = answer.get();
    if (summary)
      CHECK((*summary)["totals"]["loads"] == 1);
    else {
      CHECK(summary.failure().fault == Fault::Unavailable);
      ++refused;
    }
  }
  CHECK(refused >= 4);
  CHECK(questions == 2);
}

TEST_CASE("the end answers who waits") {
  const GatheringHouse house;
  std::future<Result<Json>> answer;
  StrangeReplica silent(house.engine, "");
  {
    const GatheringReplica one(house.engine, house.file("one"));
    answer = one.ask();
  }
  CHECK(answer.get().failure().fault == Fault::Cancelled);
}
