// SPDX-License-Identifier: Apache-2.0
// Tests a filter in a thread of the host: what it is lent, and what it can do wrong.
#include "awaited.hpp"
#include "catch2.hpp"
#include "plugin/registry.hpp"
#include "wrapped_source.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

const std::string filterFixtures = FIXTURE_FOLDER;

Json skillOf(const std::string &skill, const std::string &text) {
  return {{"skill", skill}, {"text", text}};
}

template <class T, class Ask> Result<T> answerOf(Ask ask) {
  auto promise = std::make_shared<std::promise<Result<T>>>();
  ask([promise](Result<T> result) { promise->set_value(std::move(result)); });
  return promise->get_future().get();
}

bool hasPart(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

CallOptions endingIn(std::chrono::milliseconds span) {
  CallOptions options;
  options.deadline = Deadline::after(span);
  return options;
}

// A file that scripts a fixture and can be rewritten.
class ScriptFile {
public:
  explicit ScriptFile(const Json &script) { write(script); }
  ~ScriptFile() { std::filesystem::remove(path_); }
  ScriptFile(const ScriptFile &) = delete;
  ScriptFile &operator=(const ScriptFile &) = delete;
  void write(const Json &script) const { std::ofstream(path_) << script.dump(); }
  Json config() const { return {{"file", path_}}; }

private:
  static inline int count_ = 0;
  const std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("skillhost-filter-" + std::to_string(::getpid()) + '-' + std::to_string(++count_)))
          .string();
};

// A scripted source and a filter of it.
struct Filtered {
  Filtered(const Json &source, const Json &filter) {
    wrap(*plugins.makeSource({"team", filterFixtures + "/scripted.so", source.dump(), {}}), filter);
  }
  Filtered(std::shared_ptr<Source> source, const Json &filter) { wrap(std::move(source), filter); }
  void wrap(std::shared_ptr<Source> source, const Json &filter) {
    inner = std::move(source);
    InstanceConfiguration wanted{
        "team+filter", filterFixtures + "/filtering.so", filter.dump(), {}};
    wanted.upstream = inner;
    made = plugins.makeSource(wanted, &problems);
  }
  Source &source() { return **made; }
  Result<Snapshot> list(CallOptions options = {}) {
    return answerOf<Snapshot>(
        [&](auto answer) { source().list(std::move(options), std::move(answer)); });
  }
  Result<Changes> changes(const std::string &since) {
    return answerOf<Changes>([&](auto answer) { source().changes({}, since, std::move(answer)); });
  }
  Result<std::string> read(const Document &which) {
    return answerOf<std::string>(
        [&](auto answer) { source().read({}, which, 1U << 20U, std::move(answer)); });
  }
  std::string failureOfList(CallOptions options = {}) {
    const Result<Snapshot> listed = list(std::move(options));
    return listed ? "it has listed" : listed.failure().message;
  }
  PluginDescription described() {
    for (PluginDescription &one : plugins.describe(false))
      if (one.instance == "team+filter") return std::move(one);
    return {};
  }

  PluginRegistry plugins{{filterFixtures}};
  SettingProblems problems;
  std::shared_ptr<Source> inner;
  Result<std::shared_ptr<Source>> made{Fault::Internal, {}};
};

const Json twoSkills = {{"documents", {skillOf("a", "text of a"), skillOf("b", "text of b")}}};

} // namespace

TEST_CASE("a filter lists, reads and changes what it lets through of its upstream") {
  Filtered filtered(twoSkills, {{"drop", {"b"}}, {"shout", true}, {"own", "mine"}});
  REQUIRE(filtered.made);
  const Result<Snapshot> listed = filtered.list();
  INFO((listed ? std::string() : listed.failure().message));
  REQUIRE(listed);
  REQUIRE(listed->documents.size() == 2);
  CHECK(listed->documents[0].skill == "a");
  CHECK(listed->documents[0].entry);
  CHECK(listed->documents[0].revision.ends_with('~'));
  CHECK(listed->revision.ends_with('~'));
  CHECK(*filtered.read(listed->documents[0]) == "TEXT OF A");
  // A document that the upstream does not have is the filter's own.
  CHECK(listed->documents[1].skill == "own");
  CHECK(*filtered.read(listed->documents[1]) == "mine");
  const Result<Changes> none = filtered.changes(listed->revision);
  REQUIRE(none);
  CHECK(none->revision == listed->revision);
  CHECK(none->added.empty());
}

TEST_CASE("a filter follows the changes of its upstream") {
  const ScriptFile file(twoSkills);
  Filtered filtered(file.config(), Json::object());
  REQUIRE(filtered.made);
  const Result<Snapshot> before = filtered.list();
  REQUIRE(before);
  file.write({{"documents", {skillOf("b", "new text"), skillOf("c", "text of c")}}});
  const Result<Changes> changes = filtered.changes(before->revision);
  INFO((changes ? std::string() : changes.failure().message));
  REQUIRE(changes);
  CHECK(changes->revision != before->revision);
  REQUIRE(changes->added.size() == 2);
  REQUIRE(changes->removed.size() == 1);
  CHECK(changes->removed[0].skill == "a");
  CHECK(*filtered.read(changes->added[0]) == "new text");
  CHECK(*filtered.read(changes->added[1]) == "text of c");
  CHECK(filtered.read(before->documents[0]).failure().fault == Fault::NotFound);
  CHECK(filtered.read(before->documents[1]).failure().fault == Fault::Stale);
  // Only the snapshot that was named last is a beginning of changes.
  CHECK(filtered.changes(before->revision).failure().fault == Fault::Stale);
  CHECK(filtered.changes(changes->revision));
}

TEST_CASE("a filter reads many documents of its upstream at once") {
  Json documents = Json::array();
  for (int i = 0; i < 200; ++i)
    documents.push_back(skillOf("s" + std::to_string(1000 + i), "text " + std::to_string(i)));
  Filtered filtered({{"documents", documents}}, {{"do", "read_all"}});
  REQUIRE(filtered.made);
  const Result<Snapshot> listed = filtered.list();
  INFO((listed ? std::string() : listed.failure().message));
  REQUIRE(listed);
  REQUIRE(listed->documents.size() == 204);
  const auto found = [&](const std::string &skill) {
    const auto one = std::find_if(listed->documents.begin(), listed->documents.end(),
                                  [&](const Document &each) { return each.skill == skill; });
    return one == listed->documents.end() ? std::string("absent") : one->revision;
  };
  CHECK(found("read0") == "text 0");
  CHECK(found("read199") == "text 199");
  CHECK(hasPart(found("read200"), "-5: team: has not listed that document"));
  CHECK(hasPart(found("read201"), "-6: team: the document has another revision"));
  // A name and a revision that are too long to be listed.
  CHECK(hasPart(found("read202"), "-5: team: has not listed that document"));
  CHECK(hasPart(found("read203"), "-6: team: the document has another revision"));
}

TEST_CASE("the documents of unknown length that a filter reads at once have a limit") {
  const auto source = std::make_shared<WrappedSource>();
  source->listOfUnknownLength(40);
  for (const std::size_t length : {500'000U, 2'000'000U}) {
    source->length = length;
    source->mostBytesAtOnce = 0;
    Filtered filtered(source, {{"do", "read_all"}});
    REQUIRE(filtered.made);
    const Result<Snapshot> listed = filtered.list();
    INFO((listed ? std::string() : listed.failure().message));
    REQUIRE(listed);
    CHECK(std::count_if(listed->documents.begin(), listed->documents.end(), [](const auto &one) {
            return one.revision == std::string(100, 'x');
          }) == 40);
    CHECK(source->mostBytesAtOnce > 0);
    CHECK(source->mostBytesAtOnce <= 16U << 20U);
  }
}

TEST_CASE("a filter may call its upstream from another thread and within a sink") {
  for (const char *const what : {"other_thread", "within_sink"}) {
    Filtered filtered(twoSkills, {{"do", what}});
    REQUIRE(filtered.made);
    const Result<Snapshot> listed = filtered.list();
    INFO(what << ": " << (listed ? std::string() : listed.failure().message));
    REQUIRE(listed);
    CHECK(listed->documents.size() == 2);
  }
}

TEST_CASE("a filter calls its upstream only with a call that runs, and not in create()") {
  Filtered copied(twoSkills, {{"do", "copied_call"}});
  REQUIRE(copied.made);
  CHECK(copied.list().failure().fault == Fault::InvalidInput);
  Filtered creating(twoSkills, {{"do", "list_in_create"}});
  REQUIRE_FALSE(creating.made);
  CHECK(creating.made.failure().fault == Fault::InvalidInput);
  Filtered late(twoSkills, {{"do", "after_end"}});
  REQUIRE(late.made);
  REQUIRE(late.list());
  REQUIRE(until([&] { return !late.described().reason.empty(); }));
  CHECK(late.described().reason == "late: -4");
}

TEST_CASE("a filter reads nothing that its upstream has not listed") {
  Filtered unlisted(twoSkills, {{"do", "unlisted"}});
  REQUIRE(unlisted.made);
  CHECK(unlisted.list().failure().fault == Fault::NotFound);
  Filtered early(twoSkills, {{"do", "unlisted_yet"}});
  REQUIRE(early.made);
  CHECK(early.list().failure().fault == Fault::Stale);
}

TEST_CASE("the reason of an upstream that fails is the reason of its filter") {
  Json failing = twoSkills;
  failing["list"] = {{"do", "UNAVAILABLE"}, {"message", "the moon is down"}};
  Filtered filtered(failing, Json::object());
  REQUIRE(filtered.made);
  const Result<Snapshot> listed = filtered.list();
  REQUIRE_FALSE(listed);
  CHECK(listed.failure().fault == Fault::Unavailable);
  CHECK(listed.failure().message == "team+filter: list: team: list: the moon is down");
  CHECK(filtered.described().reason == listed.failure().message);
}

TEST_CASE("a slow upstream makes its filter fail in time") {
  Json slow = twoSkills;
  slow["list"] = {{"do", "await_cancel"}};
  Filtered filtered(slow, Json::object());
  REQUIRE(filtered.made);
  const Result<Snapshot> late = filtered.list(endingIn(400ms));
  REQUIRE_FALSE(late);
  CHECK(late.failure().fault == Fault::ToolTimeout);
  // The upstream has ended before the deadline, so the filter has said what it was waiting for.
  CHECK(hasPart(late.failure().message, "team+filter: list: team: list: "));
}

TEST_CASE("cancelling a call of a filter cancels the work of its upstream") {
  const auto source = std::make_shared<WrappedSource>();
  source->listOfUnknownLength(2);
  source->isHeld = true;
  Filtered filtered(source, Json::object());
  REQUIRE(filtered.made);
  const CallOptions options;
  Awaited<Result<Snapshot>> answers;
  filtered.source().list(options, [&](Result<Snapshot> one) { answers.push(std::move(one)); });
  const WrappedSource::Question question = source->questions.next();
  CHECK_FALSE(question.options.cancel.cancelled());
  options.cancel.cancel();
  CHECK(answers.next().failure().fault == Fault::Cancelled);
  CHECK(until([&] { return question.options.cancel.cancelled(); }));
  question.answer(source->snapshot);
  CHECK(filtered.described().state != PluginState::Broken);
}

TEST_CASE("a filter receives the facts of its upstream") {
  const auto source = std::make_shared<WrappedSource>();
  source->listOfUnknownLength(1);
  source->snapshot.facts = {{"*", R"({"kind":"folder"})"}, {"s1000", R"({"owner":"ada"})"}};
  source->difference = {"2", source->snapshot.documents, {}, {{"*", R"({"kind":"git"})"}}};
  source->difference.added[0].revision = "2";
  Filtered filtered(source, Json::object());
  REQUIRE(filtered.made);
  const Result<Snapshot> listed = filtered.list();
  REQUIRE(listed);
  CHECK(listed->facts == source->snapshot.facts);
  const Result<Changes> changes = filtered.changes(listed->revision);
  REQUIRE(changes);
  CHECK(changes->revision == "2~");
  CHECK(changes->facts == source->difference.facts);
  Filtered other(source, {{"do", "other_facts"}});
  REQUIRE(other.made);
  CHECK(other.list().failure().fault == Fault::Stale);
}

TEST_CASE("a filter that fails, throws, is slow or reads other bytes serves nothing of it") {
  const ScriptFile script(Json::object());
  Filtered filtered(twoSkills, script.config());
  REQUIRE(filtered.made);
  const Result<Snapshot> listed = filtered.list();
  REQUIRE(listed);
  script.write({{"do", "UNAVAILABLE"}});
  CHECK(hasPart(filtered.failureOfList(), "the filter fails"));
  script.write({{"do", "throw"}});
  CHECK(hasPart(filtered.failureOfList(), "the filter throws"));
  script.write({{"do", "await_cancel"}});
  CHECK(filtered.list(endingIn(100ms)).failure().fault == Fault::ToolTimeout);
  script.write({{"read", "FAILED"}});
  CHECK_FALSE(filtered.read(listed->documents[0]));
  script.write({{"mark", "other"}});
  CHECK(filtered.read(listed->documents[0]).failure().fault == Fault::Stale);
  script.write({{"lengths", true}, {"longer", true}});
  const Result<Snapshot> measured = filtered.list();
  REQUIRE(measured);
  CHECK(filtered.read(measured->documents[0]).failure().fault == Fault::Corrupt);
}

TEST_CASE("filters nest") {
  Filtered filtered(twoSkills, {{"shout", true}});
  REQUIRE(filtered.made);
  InstanceConfiguration wanted{
      "team+outer", filterFixtures + "/filtering.so", R"({"mark": "+", "drop": ["b"]})", {}};
  wanted.upstream = *filtered.made;
  const auto outer = filtered.plugins.makeSource(wanted);
  REQUIRE(outer);
  const Result<Snapshot> listed =
      answerOf<Snapshot>([&](auto answer) { (*outer)->list({}, std::move(answer)); });
  REQUIRE(listed);
  REQUIRE(listed->documents.size() == 1);
  CHECK(listed->documents[0].revision.ends_with("~+"));
  const Result<std::string> text = answerOf<std::string>(
      [&](auto answer) { (*outer)->read({}, listed->documents[0], 1000, std::move(answer)); });
  REQUIRE(text);
  CHECK(*text == "TEXT OF A");
}

TEST_CASE("a plugin that does not ask for its upstream is no filter") {
  PluginRegistry plugins({filterFixtures});
  const auto inner = plugins.makeSource({"team", "scripted", twoSkills.dump(), {}});
  REQUIRE(inner);
  InstanceConfiguration wanted{"team+filter", "scripted", twoSkills.dump(), {}};
  wanted.upstream = *inner;
  SettingProblems problems;
  const auto made = plugins.makeSource(wanted, &problems);
  REQUIRE_FALSE(made);
  CHECK(hasPart(made.failure().message, "is no filter"));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].setting == "plugin");
}

TEST_CASE("a filter without an upstream refuses to be made") {
  PluginRegistry plugins({filterFixtures});
  SettingProblems problems;
  const auto made = plugins.makeSource({"alone", "filtering", "{}", {}}, &problems);
  REQUIRE_FALSE(made);
  CHECK(made.failure().fault == Fault::InvalidInput);
  CHECK(hasPart(made.failure().message, "this plugin is a filter"));
}
