// SPDX-License-Identifier: Apache-2.0
// A filter in a process of its own must behave as in the host's process, and reach nothing of the
// source that it wraps but what that lists.
#include "awaited.hpp"
#include "catch2.hpp"
#include "plugin/registry.hpp"
#include "process/packed_document.hpp"
#include "process/proxy_upstream.hpp"
#include "processes.hpp"
#include "running.hpp"
#include "wrapped_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

using namespace skillhost;
using namespace running;
using namespace std::chrono_literals;

namespace {

PluginSettings isolating() {
  PluginSettings settings;
  settings.isolation = makeIsolation(runner);
  return settings;
}

// A scripted source in this process, and a filter of it in a process of its own.
struct Filtered {
  Filtered(const Json &source, const Json &filter) {
    InstanceConfiguration wrapped{"team", scripted, source.dump(), {}};
    wrapped.run.isolation = Isolation::Thread;
    wrap(*plugins.makeSource(wrapped), filter);
  }
  Filtered(std::shared_ptr<Source> source, const Json &filter) { wrap(std::move(source), filter); }
  void wrap(std::shared_ptr<Source> source, const Json &filter) {
    inner = std::move(source);
    InstanceConfiguration wanted{"team+filter", fixtures + "/filtering.so", filter.dump(), {}};
    wanted.run.isolation = Isolation::Process;
    wanted.upstream = inner;
    made = plugins.makeSource(wanted);
  }
  Result<Snapshot> list(const CallOptions &options = {}) {
    return wait<Snapshot>([&](auto answer) { (*made)->list(options, std::move(answer)); });
  }
  Result<Changes> changes(const std::string &since) {
    return wait<Changes>([&](auto answer) { (*made)->changes({}, since, std::move(answer)); });
  }
  Result<std::string> read(const Document &which) {
    return wait<std::string>(
        [&](auto answer) { (*made)->read({}, which, 64U << 20U, std::move(answer)); });
  }
  Snapshot listed() {
    Result<Snapshot> snapshot = list();
    INFO((snapshot ? std::string() : snapshot.failure().message));
    REQUIRE(snapshot);
    return *std::move(snapshot);
  }
  PluginDescription described() {
    for (PluginDescription &one : plugins.describe(false))
      if (one.instance == "team+filter") return std::move(one);
    return {};
  }

  PluginRegistry plugins{{}, isolating()};
  std::shared_ptr<Source> inner;
  Result<std::shared_ptr<Source>> made{Fault::Internal, {}};
};

// A file that scripts a fixture and can be rewritten. The process may read it, because its
// configuration names it.
class ScriptFile {
public:
  explicit ScriptFile(const Json &script) { write(script); }
  ~ScriptFile() { std::filesystem::remove(path_); }
  ScriptFile(const ScriptFile &) = delete;
  ScriptFile &operator=(const ScriptFile &) = delete;
  void write(const Json &script) const { std::ofstream(path_) << script.dump(); }
  Json config() const { return {{"file", path_}}; }
  const std::string &path() const { return path_; }

private:
  const std::string path_ = (std::filesystem::temp_directory_path() /
                             ("skillhost-filter-script-" + std::to_string(::getpid())))
                                .string();
};

const Json twoSkills = {{"documents", {document("a", "text of a"), document("b", "text of b")}}};

} // namespace

TEST_CASE("a filter in its own process lists and reads what it lets through of its upstream") {
  Filtered filtered(twoSkills, {{"drop", {"b"}}, {"shout", true}, {"own", "mine"}});
  REQUIRE(filtered.made);
  const Snapshot snapshot = filtered.listed();
  REQUIRE(snapshot.documents.size() == 2);
  CHECK(*filtered.read(snapshot.documents[0]) == "TEXT OF A");
  CHECK(*filtered.read(snapshot.documents[1]) == "mine");
  const Result<Changes> none = filtered.changes(snapshot.revision);
  REQUIRE(none);
  CHECK(none->revision == snapshot.revision);
  CHECK(filtered.described().isolation == "process");
}

TEST_CASE("many and large documents of an upstream reach a filter's process whole") {
  Json documents = Json::array({document("large", std::string(6'000'000, 'x'))});
  for (int i = 0; i < 30'000; ++i) documents.push_back(document("s" + std::to_string(i), "x"));
  Filtered filtered({{"documents", documents}}, Json::object());
  REQUIRE(filtered.made);
  const Snapshot snapshot = filtered.listed();
  REQUIRE(snapshot.documents.size() == 30'001);
  CHECK(snapshot.documents[0].skill == "large");
  CHECK(filtered.read(snapshot.documents[0])->size() == 6'000'000);
}

TEST_CASE("a filter's process reads many documents of its upstream with one call") {
  Json documents = Json::array();
  for (int i = 0; i < 200; ++i)
    documents.push_back(document("s" + std::to_string(1000 + i), "text " + std::to_string(i)));
  Filtered filtered({{"documents", documents}}, {{"do", "read_all"}});
  REQUIRE(filtered.made);
  const Snapshot snapshot = filtered.listed();
  REQUIRE(snapshot.documents.size() == 204);
  const auto found = [&](const std::string &skill) {
    const auto one = std::find_if(snapshot.documents.begin(), snapshot.documents.end(),
                                  [&](const Document &each) { return each.skill == skill; });
    return one == snapshot.documents.end() ? std::string("absent") : one->revision;
  };
  CHECK(found("read0") == "text 0");
  CHECK(found("read199") == "text 199");
  CHECK(contains(found("read200"), "-5: team: has not listed that document"));
  CHECK(contains(found("read201"), "-6: team: the document has another revision"));
  // A name and a revision that are too long to be listed.
  CHECK(contains(found("read202"), "-5: team: has not listed that document"));
  CHECK(contains(found("read203"), "-6: team: the document has another revision"));
}

TEST_CASE("a filter's process reads many large documents, a limited part of them at once") {
  const auto source = std::make_shared<WrappedSource>();
  source->listOfUnknownLength(40);
  source->length = 2'000'000;
  Filtered filtered(source, {{"do", "read_all"}});
  REQUIRE(filtered.made);
  const Snapshot snapshot = filtered.listed();
  CHECK(std::count_if(snapshot.documents.begin(), snapshot.documents.end(),
                      [](const Document &one) { return one.revision == std::string(100, 'x'); }) ==
        40);
  using namespace process;
  skh_upstream upstream{};
  upstream.read_each = [](const skh_upstream *, const skh_call *, const skh_document *const *,
                          size_t count, const skh_readings *out) noexcept -> skh_status {
    const std::string bytes(1'000'000, 'x');
    for (std::size_t i = 0; i < count; ++i)
      if (const skh_status status = out->add(out, i, SKH_OK, {bytes.data(), bytes.size()});
          status != SKH_OK)
        return status;
    return SKH_OK;
  };
  Packer question;
  question.u32(1);
  question.u8(static_cast<std::uint8_t>(Operation::ReadEach));
  question.u32(64);
  for (int i = 0; i < 64; ++i) pack(question, skh_document{});
  Unpacker from(question.frame().substr(sizeof(std::uint32_t)));
  std::size_t sent = 0;
  CHECK(callUpstream(upstream, nullptr, from, [&sent](const Packer &message) {
    sent += message.size();
    return true;
  }));
  CHECK(sent > 10'000'000);
  CHECK(sent < 20'000'000);
}

TEST_CASE("a filter's process may call its upstream from another thread and within a sink") {
  for (const char *const what : {"other_thread", "within_sink"}) {
    INFO(what);
    Filtered filtered(twoSkills, {{"do", what}});
    REQUIRE(filtered.made);
    CHECK(filtered.listed().documents.size() == 2);
  }
}

TEST_CASE("a filter's process calls its upstream only with a call that runs") {
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

TEST_CASE("a filter's process reads nothing that its upstream has not listed, and no file of it") {
  Filtered unlisted(twoSkills, {{"do", "unlisted"}});
  REQUIRE(unlisted.made);
  CHECK(unlisted.list().failure().fault == Fault::NotFound);
  Filtered early(twoSkills, {{"do", "unlisted_yet"}});
  REQUIRE(early.made);
  CHECK(early.list().failure().fault == Fault::Stale);
  const ScriptFile file(twoSkills); // of the upstream
  Filtered opening(file.config(), {{"open", file.path().substr(1)}});
  REQUIRE(opening.made);
  const Snapshot snapshot = opening.listed();
  REQUIRE(snapshot.documents.size() == 3);
  CHECK(snapshot.documents[2].skill == "open");
  CHECK(snapshot.documents[2].revision != "ok");
}

TEST_CASE("a filter whose process crashes or hangs fails that call, and works again") {
  const ScriptFile script(Json{{"do", "abort"}});
  Filtered filtered(twoSkills, script.config());
  REQUIRE(filtered.made);
  CHECK(filtered.list().failure().fault == Fault::Unavailable);
  script.write(Json::object());
  CHECK(filtered.listed().documents.size() == 2);
  script.write({{"do", "hang"}});
  CHECK(filtered.list(within(300ms)).failure().fault == Fault::ToolTimeout);
  script.write({{"read", "abort"}});
  const Snapshot snapshot = filtered.listed();
  CHECK_FALSE(filtered.read(snapshot.documents[0]));
  script.write(Json::object());
  CHECK(*filtered.read(snapshot.documents[0]) == "text of a");
}

TEST_CASE("an upstream that fails or is slow does not end the process of its filter") {
  const ScriptFile file(twoSkills);
  Filtered filtered(file.config(), Json::object());
  REQUIRE(filtered.made);
  const std::vector<pid_t> before = runners();
  REQUIRE(before.size() == 1);
  Json failing = twoSkills;
  failing["list"] = {{"do", "UNAVAILABLE"}, {"message", "the moon is down"}};
  file.write(failing);
  const Result<Snapshot> failed = filtered.list();
  REQUIRE_FALSE(failed);
  CHECK(failed.failure().fault == Fault::Unavailable);
  CHECK(failed.failure().message == "team+filter: list: team: list: the moon is down");
  failing["list"] = {{"do", "await_cancel"}};
  file.write(failing);
  const Result<Snapshot> late = filtered.list(within(600ms));
  REQUIRE_FALSE(late);
  CHECK(late.failure().fault == Fault::ToolTimeout);
  CHECK(contains(late.failure().message, "team+filter: list: team: list: "));
  file.write(twoSkills);
  CHECK(filtered.listed().documents.size() == 2);
  CHECK(runners() == before);
}

TEST_CASE("cancelling a call of a filter's process cancels the work of its upstream") {
  const auto source = std::make_shared<WrappedSource>();
  source->listOfUnknownLength(2);
  source->isHeld = true;
  Filtered filtered(source, Json::object());
  REQUIRE(filtered.made);
  const std::vector<pid_t> before = runners();
  const CallOptions options;
  Awaited<Result<Snapshot>> answers;
  (*filtered.made)->list(options, [&](Result<Snapshot> one) { answers.push(std::move(one)); });
  const WrappedSource::Question question = source->questions.next();
  CHECK_FALSE(question.options.cancel.cancelled());
  options.cancel.cancel();
  CHECK(answers.next().failure().fault == Fault::Cancelled);
  CHECK(until([&] { return question.options.cancel.cancelled(); }));
  question.answer(source->snapshot);
  source->isHeld = false;
  CHECK(filtered.listed().documents.size() == 2);
  CHECK(runners() == before);
}

TEST_CASE("a cancelled call does not wait for a filter's process that takes no results") {
  const auto source = std::make_shared<WrappedSource>();
  source->listOfUnknownLength(30'000);
  source->isHeld = true;
  Filtered filtered(source, Json::object());
  REQUIRE(filtered.made);
  const std::vector<pid_t> before = runners();
  REQUIRE(before.size() == 1);
  const CallOptions options = within(90s);
  Awaited<Result<Snapshot>> answers;
  (*filtered.made)->list(options, [&](Result<Snapshot> one) { answers.push(std::move(one)); });
  const WrappedSource::Question question = source->questions.next();
  REQUIRE(::kill(before[0], SIGSTOP) == 0);
  question.answer(source->snapshot);
  options.cancel.cancel();
  CHECK(answers.next().failure().fault == Fault::Cancelled);
  CHECK(until([&] { return runners() != before; })); // long before the deadline
}

TEST_CASE("a filter's process receives the facts of its upstream") {
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

TEST_CASE("a plugin whose process does not ask for its upstream is no filter") {
  PluginRegistry plugins({}, isolating());
  InstanceConfiguration wrapped{"team", scripted, twoSkills.dump(), {}};
  wrapped.run.isolation = Isolation::Thread;
  InstanceConfiguration wanted{"team+filter", scripted, twoSkills.dump(), {}};
  wanted.run.isolation = Isolation::Process;
  wanted.upstream = *plugins.makeSource(wrapped);
  const auto refused = plugins.makeSource(wanted);
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.failure().message, "is no filter"));
  InstanceConfiguration alone{"alone", fixtures + "/filtering.so", "{}", {}};
  alone.run.isolation = Isolation::Process;
  const auto made = plugins.makeSource(alone);
  REQUIRE_FALSE(made);
  CHECK(contains(made.failure().message, "this plugin is a filter"));
}
