// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "base/metrics.hpp"
#include "catch2.hpp"
#include "plugin/registry.hpp"

#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <string>
#include <string_view>
#include <vector>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

const std::string folder = FIXTURE_FOLDER;

Json document(const std::string &skill, const std::string &path, const std::string &text) {
  return {{"skill", skill}, {"path", path}, {"text", text}};
}

std::shared_ptr<Source> scripted(PluginRegistry &plugins, const Json &script) {
  auto source = plugins.makeSource({"s", folder + "/scripted.so", script.dump(), {}});
  INFO((source ? std::string() : source.failure().message));
  REQUIRE(source);
  return *source;
}

template <class T, class Ask> Result<T> wait(Ask ask) {
  std::promise<Result<T>> promise;
  ask([&](Result<T> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

Result<Snapshot> list(Source &source) {
  return wait<Snapshot>([&](auto answer) { source.list({}, answer); });
}

std::string refusal(const std::string &file) {
  PluginRegistry plugins({folder});
  const auto made = plugins.makeSource({"x", folder + "/" + file, "{}", {}});
  REQUIRE_FALSE(made);
  return made.failure().message;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("what a plugin reports and how its calls go is counted under its instance") {
  PluginRegistry plugins({folder});
  const auto made = plugins.makeSource({"counted", folder + "/scripted.so", "{}", {}});
  REQUIRE(made);
  for (int i = 0; i < 3; ++i) CHECK(list(**made));
  double reported = 0, calls = 0;
  for (const auto &one : metrics::all().snapshot()) {
    if (one.name.labels != metrics::Labels{{"instance", "counted"}}) continue;
    if (one.name.name == "skillhost_plugin_scripted_list") reported = one.number;
    if (one.name.name == "skillhost_instance_call_seconds")
      calls = static_cast<double>(one.histogram.count);
  }
  CHECK(reported == 3);
  CHECK(calls == 4); // create, too
}

TEST_CASE("a file that is no plugin, or one of another contract, is refused with the reason") {
  CHECK(contains(refusal("wrong_magic.so"), "magic"));
  CHECK(contains(refusal("newer_abi.so"), "1.99"));
  CHECK(contains(refusal("no_entry_symbol.so"), "skh_plugin_entry_v1"));
  CHECK(contains(refusal("undefined_symbol.so"), "undefined symbol"));
  CHECK(contains(refusal("truncated.so"), "truncated.so"));
  CHECK(contains(refusal("absent.so"), "absent.so"));
  CHECK(contains(refusal("unknown_kind.so"), "no plugin"));
}

TEST_CASE("without isolation/ no plugin runs in a process of its own, and none from elsewhere") {
  PluginSettings settings;
  settings.directories = {folder};
  PluginRegistry elsewhere({}, settings);
  const auto foreign = elsewhere.makeSource({"x", "scripted", "{}", {}});
  REQUIRE_FALSE(foreign);
  CHECK(contains(foreign.failure().message, "scripted.so: it is not one of skillhost's own"));
  CHECK(contains(foreign.failure().message, "built without isolation/"));
  for (const PluginDescription &one : elsewhere.describe(true)) {
    if (!one.instance.empty()) continue; // the source above
    CHECK(one.state == PluginState::Incompatible);
    CHECK_FALSE(one.reason.empty());
  }
  PluginRegistry own({folder});
  InstanceConfiguration apart{"x", "scripted", "{}", {}};
  apart.run.isolation = Isolation::Process;
  const auto refused = own.makeSource(apart);
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.failure().message, "x: the plugin must run in a process of its own"));
  CHECK(contains(refused.failure().message, "built without isolation/"));
  CHECK(own.makeSource({"y", "scripted", "{}", {}}));
}

TEST_CASE("a built-in file makes no other file in its folder built in") {
  PluginSettings settings;
  settings.directories = {folder};
  PluginRegistry plugins({folder + "/scripted.so", folder + "/absent.so"}, settings);
  CHECK(plugins.makeSource({"x", "scripted", "{}", {}}));
  const auto foreign = plugins.makeSource({"y", "good", "{}", {}});
  REQUIRE_FALSE(foreign);
  CHECK(contains(foreign.failure().message, "good.so: it is not one of skillhost's own"));
}

TEST_CASE("a file that others may write is refused") {
  const fs::path own =
      fs::temp_directory_path() / ("skillhost-plugin-" + std::to_string(::getpid()));
  fs::create_directory(own);
  fs::copy_file(folder + "/good.so", own / "good.so", fs::copy_options::overwrite_existing);
  const auto attempt = [&] {
    PluginRegistry plugins({own.string()});
    return plugins.makeSource({"x", (own / "good.so").string(), "{}", {}});
  };
  ::chmod((own / "good.so").c_str(), 0755);
  ::chmod(own.c_str(), 0755);
  CHECK(attempt());
  ::chmod((own / "good.so").c_str(), 0666);
  const auto refused = attempt();
  ::chmod((own / "good.so").c_str(), 0755);
  ::chmod(own.c_str(), 0777);
  const auto refusedFolder = attempt();
  ::chmod(own.c_str(), 01777); // like /tmp
  const auto refusedShared = attempt();
  fs::remove_all(own);
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.failure().message, "others may write"));
  REQUIRE_FALSE(refusedFolder);
  CHECK(contains(refusedFolder.failure().message, "others may write"));
  REQUIRE_FALSE(refusedShared);
  CHECK(contains(refusedShared.failure().message, "or move the plugin to another folder"));
}

TEST_CASE("what create() says reaches the operator, and the state is failed") {
  PluginRegistry plugins({folder});
  const auto made = plugins.makeSource({"x", "throwing_create", "{}", {}});
  REQUIRE_FALSE(made);
  const auto all = plugins.describe(false);
  const auto failed =
      std::find_if(all.begin(), all.end(), [](const auto &one) { return one.instance == "x"; });
  REQUIRE(failed != all.end());
  CHECK(failed->state == PluginState::Failed);
  CHECK(failed->reason == made.failure().message);
}

TEST_CASE("what create() says is one line that controls no terminal") {
  PluginRegistry plugins({folder});
  const auto made = plugins.makeSource(
      {"x", "scripted", R"({"create":{"do":"FAILED","message":"one\ntwo\u001b[2J"}})", {}});
  REQUIRE_FALSE(made);
  CHECK(contains(made.failure().message, R"(one two\x1b[2J)"));
}

TEST_CASE("looking at a folder tells the state of every file in it") {
  PluginRegistry plugins({folder, "/no/such/folder"});
  const auto all = plugins.describe(true);
  const auto state = [&](const std::string &file) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto &one) {
      return fs::path(one.file).filename() == file;
    });
    REQUIRE(found != all.end());
    return found->state;
  };
  CHECK(state("good.so") == PluginState::Unconfigured);
  CHECK(state("wrong_magic.so") == PluginState::Incompatible);
  CHECK(state("unknown_kind.so") == PluginState::Incompatible);
}

TEST_CASE(
    "of two files with one id, the one that is not used is listed, and named in the log once") {
  const auto places = fs::temp_directory_path() / ("skillhost-twins-" + std::to_string(::getpid()));
  std::vector<std::string> files;
  for (const char *const name : {"a", "b"}) {
    fs::create_directories(places / name);
    fs::copy_file(folder + "/scripted.so", places / name / "scripted.so");
    files.push_back(fs::canonical(places / name / "scripted.so").string());
  }
  std::atomic<int> told{0};
  log::listen([&](LogLevel, std::string_view, std::string_view text) {
    if (contains(std::string(text), files[1] + ": not used: " + files[0])) ++told;
  });
  PluginRegistry plugins(files);
  const auto first = plugins.makeSource({"one", "scripted", "{}", {}});
  const auto again = plugins.makeSource({"two", "scripted", "{}", {}});
  log::listen({});
  CHECK(first);
  CHECK(again);
  CHECK(told == 1);
  const auto all = plugins.describe(true);
  const auto unused =
      std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.file == files[1]; });
  REQUIRE(unused != all.end());
  CHECK(unused->state == PluginState::NotUsed);
  CHECK(unused->reason == files[0] + " has the same id");
  const auto chosen = plugins.makeSource({"three", files[1], "{}", {}});
  CHECK(chosen);
  for (const auto &one : plugins.describe(true)) CHECK(one.state == PluginState::Loaded);
  fs::remove_all(places);
}

TEST_CASE("a call that fails without a reason names its status") {
  PluginRegistry plugins({folder});
  const Json script = {{"list", {{"do", "STALE"}, {"message", ""}}}};
  const Result<Snapshot> snapshot = list(*scripted(plugins, script));
  REQUIRE_FALSE(snapshot);
  CHECK(contains(snapshot.failure().message, "it returned SKH_STALE without a reason"));
}

TEST_CASE("a listing is copied, sorted and complete, and documents are read by revision") {
  PluginRegistry plugins({folder});
  const auto source =
      scripted(plugins, {{"documents",
                          {document("b", "SKILL.md", "B"), document("a", "x/y.md", "Y"),
                           document("a", "SKILL.md", "A")}}});
  const Result<Snapshot> snapshot = list(*source);
  REQUIRE(snapshot);
  REQUIRE(snapshot->documents.size() == 3);
  CHECK(snapshot->documents[0].skill == "a");
  CHECK(snapshot->documents[0].entry);
  CHECK(snapshot->documents[1].path == "x/y.md");
  const auto read = [&](Document which, std::size_t limit) {
    return wait<std::string>([&](auto answer) { source->read({}, which, limit, answer); });
  };
  CHECK(*read(snapshot->documents[1], 100) == "Y");
  CHECK(read(snapshot->documents[1], 0).failure().fault == Fault::TooLarge);
  Document absent = snapshot->documents[0];
  absent.path = "absent";
  CHECK_FALSE(read(absent, 100));
  const Result<Changes> none =
      wait<Changes>([&](auto answer) { source->changes({}, snapshot->revision, answer); });
  REQUIRE(none);
  CHECK(none->revision == snapshot->revision);
}

TEST_CASE("documents that break the rules are left out, the others stay") {
  PluginRegistry plugins({folder});
  const auto source =
      scripted(plugins, {{"documents",
                          {document("a", "SKILL.md", "A"),
                           document("a", "../b", "x"),
                           document("a", "/etc", "x"),
                           document("..", "SKILL.md", "x"),
                           document("", "SKILL.md", "x"),
                           document("a", "b\\c", "x"),
                           document("a", "b//c", "x"),
                           document("a", "b\nc", "x"),
                           {{"skill", "a"}, {"path", {{"hex", "ff"}}}, {"text", "x"}},
                           document("a", "SKILL.md", "again")}}});
  const Result<Snapshot> snapshot = list(*source);
  REQUIRE(snapshot);
  CHECK(snapshot->documents.size() == 1);
}

TEST_CASE("litter and files of secrets are left out of every source") {
  PluginRegistry plugins({folder});
  const auto source =
      scripted(plugins, {{"documents",
                          {document("a", "SKILL.md", "A"), document("a", ".env", "x"),
                           document("a", "keys/id_rsa", "x"), document("a", ".env.example", "x"),
                           document("a", "__pycache__/b.pyc", "x"), document("a", ".DS_Store", "x"),
                           document("node_modules/b", "SKILL.md", "B")}}});
  const Result<Snapshot> snapshot = list(*source);
  REQUIRE(snapshot);
  std::vector<std::string> paths;
  for (const Document &one : snapshot->documents) paths.push_back(one.skill + '/' + one.path);
  CHECK(paths ==
        std::vector<std::string>{"a/.env.example", "a/SKILL.md", "node_modules/b/SKILL.md"});
}

TEST_CASE("a listing told out of order is void, and says why") {
  PluginRegistry plugins({folder});
  const Json one = Json::array({document("a", "SKILL.md", "A")});
  const auto failure = [&](Json script) {
    script["documents"] = one;
    const Result<Snapshot> snapshot = list(*scripted(plugins, script));
    REQUIRE_FALSE(snapshot);
    return snapshot.failure().message;
  };
  CHECK(contains(failure({{"done_calls", 0}}), "without naming"));
  CHECK(contains(failure({{"done_calls", 2}}), "twice"));
  CHECK(contains(failure({{"add_after_done", true}}), "after"));
  CHECK(contains(failure({{"list", {{"do", "UNAVAILABLE"}, {"message", "the moon is down"}}}}),
                 "the moon is down"));
}

TEST_CASE("a call that was cancelled before it began does not reach the plugin") {
  PluginRegistry plugins({folder});
  const auto source = scripted(plugins, {{"list", {{"do", "await_cancel"}}}});
  CallOptions options;
  options.cancel.cancel();
  const auto result = wait<Snapshot>([&](auto answer) { source->list(options, answer); });
  CHECK(result.failure().fault == Fault::Cancelled);
}

TEST_CASE("a running call hears that it is cancelled") {
  PluginRegistry plugins({folder});
  const auto source = scripted(plugins, {{"list", {{"do", "await_cancel"}}}});
  CallOptions options;
  std::promise<Result<Snapshot>> promise;
  source->list(options, [&](Result<Snapshot> result) { promise.set_value(std::move(result)); });
  options.cancel.cancel();
  CHECK(promise.get_future().get().failure().fault == Fault::Cancelled);
}

TEST_CASE("a source of an older, smaller table answers that it keeps no history") {
  PluginRegistry plugins({folder});
  const auto source = plugins.makeSource({"x", "small_struct", "{}", {}});
  REQUIRE(source);
  const auto changes = wait<Changes>([&](auto answer) { (*source)->changes({}, "any", answer); });
  CHECK(changes.failure().fault == Fault::Stale);
}

TEST_CASE("reading many documents answers for each of them exactly once") {
  PluginRegistry plugins({folder});
  Json documents = Json::array();
  for (int i = 0; i < 100; ++i)
    documents.push_back(document("s" + std::to_string(i), "SKILL.md", std::to_string(i)));
  const auto source = scripted(plugins, {{"documents", documents}});
  const Result<Snapshot> snapshot = list(*source);
  REQUIRE(snapshot);
  std::vector<std::atomic<int>> answers(100);
  std::atomic<int> wrong{0};
  std::promise<void> done;
  source->readEach(
      {}, snapshot->documents, 100,
      [&](std::size_t i, Result<std::string> bytes) {
        ++answers[i];
        if (!bytes || "s" + *bytes != snapshot->documents[i].skill) ++wrong;
      },
      [&] { done.set_value(); });
  done.get_future().wait();
  CHECK(wrong == 0);
  CHECK(std::all_of(answers.begin(), answers.end(), [](const auto &n) { return n == 1; }));
}
