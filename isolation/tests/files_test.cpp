// SPDX-License-Identifier: Apache-2.0
// Foreign plugin files are inspected by a child process, remembered by digest and checked against
// plugins.lock.
#include "catch2.hpp"
#include "plugin_calls/plugin_copy.hpp"
#include "plugin_calls/plugin_lock.hpp"
#include "running.hpp"

#include "base/log.hpp"
#include "ground/blake3.hpp"
#include "ground/guarded.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace skillhost;
using namespace running;
namespace fs = std::filesystem;

namespace {

// A folder of foreign plugins, and a folder for the results of their inspection.
struct Elsewhere {
  Elsewhere() {
    fs::create_directories(plugins);
    ::chmod(root.c_str(), 0755);
    ::chmod(plugins.c_str(), 0755);
  }
  ~Elsewhere() { fs::remove_all(root); }
  Elsewhere(const Elsewhere &) = delete;
  Elsewhere &operator=(const Elsewhere &) = delete;

  std::string add(const std::string &file) const {
    const fs::path copy = plugins / fs::path(file).filename();
    fs::copy_file(fixtures + "/" + file, copy, fs::copy_options::overwrite_existing);
    ::chmod(copy.c_str(), 0755);
    return copy.string();
  }
  PluginSettings settings() const {
    return {{plugins.string()}, makeIsolation(runner), cache.string(), {}};
  }

  fs::path root = fs::canonical(fs::temp_directory_path()) /
                  ("skillhost-elsewhere-" + std::to_string(::getpid()));
  fs::path plugins = root / "plugins", cache = root / "cache" / "plugins";
};

PluginDescription onlyOne(const PluginSettings &settings) {
  PluginRegistry registry({}, settings);
  const auto all = registry.describe(true);
  REQUIRE(all.size() == 1);
  return all[0];
}

std::size_t filesIn(const fs::path &folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

TEST_CASE("what a scan tells survives its way, and nonsense is a refusal") {
  PluginScan scan;
  scan.plugins.push_back(factsOf(fixtures + "/scripted.so"));
  const PluginScan back = scanFromJson(toJson(scan));
  REQUIRE(back.plugins.size() == 1);
  CHECK(back.plugins[0].id == "test.scripted");
  CHECK(back.plugins[0].configSchema == scan.plugins[0].configSchema);
  CHECK(back.plugins[0].has("changes"));
  for (const char *text : {"", "[]", "{}", R"({"plugins": [{}]})", R"({"plugins": 1})"})
    CHECK_FALSE(scanFromJson(text).refusal.empty());
}

TEST_CASE("a file from elsewhere is looked into by a child, once") {
  const Elsewhere elsewhere;
  elsewhere.add("scripted.so");
  const PluginDescription found = onlyOne(elsewhere.settings());
  CHECK(found.state == PluginState::Unconfigured);
  CHECK(found.id == "test.scripted");
  CHECK(found.isolation == "process");
  struct stat info{};
  REQUIRE(::stat(elsewhere.cache.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  REQUIRE(filesIn(elsewhere.cache) == 1);
  // Uses a program that cannot scan, so the answer must be the remembered one.
  PluginSettings settings = elsewhere.settings();
  settings.isolation = makeIsolation("/bin/false");
  CHECK(onlyOne(settings).id == "test.scripted");
}

TEST_CASE("a file whose scan crashed is not looked into again until it changes") {
  const Elsewhere elsewhere;
  const std::string file = elsewhere.add("elsewhere/crashing_load.so");
  const PluginDescription crashed = onlyOne(elsewhere.settings());
  CHECK(crashed.state == PluginState::CrashedAtScan);
  CHECK(contains(crashed.reason, "SIGABRT"));
  PluginSettings settings = elsewhere.settings();
  settings.isolation = makeIsolation("/bin/false");
  CHECK(contains(onlyOne(settings).reason, "SIGABRT")); // the failure is remembered, too
  fs::copy_file(fixtures + "/good.so", file, fs::copy_options::overwrite_existing);
  CHECK(onlyOne(elsewhere.settings()).state == PluginState::Unconfigured);
}

TEST_CASE("a runner that others may write, or that is not there, is not executed") {
  const Elsewhere elsewhere;
  elsewhere.add("good.so");
  const std::string program = (elsewhere.root / "program").string();
  std::ofstream(program) << "#!/bin/sh\ntouch " << (elsewhere.root / "executed").string() << "\n";
  ::chmod(program.c_str(), 0777);
  PluginSettings settings = elsewhere.settings();
  settings.isolation = makeIsolation(program);
  const PluginDescription refused = onlyOne(settings);
  CHECK(refused.state == PluginState::Incompatible);
  CHECK(contains(refused.reason, program));
  CHECK(contains(refused.reason, "others may write"));
  CHECK_FALSE(fs::exists(elsewhere.root / "executed"));
  settings.isolation = makeIsolation((elsewhere.root / "absent").string());
  CHECK(contains(onlyOne(settings).reason, "installed together with skillhost"));
}

TEST_CASE("why no runner can be executed is told") {
  const Elsewhere elsewhere;
  CHECK(makeIsolation(runner)->whyNoRunner().empty());
  const fs::path folder = elsewhere.root / "programs", program = folder / "runner";
  CHECK(makeIsolation(program.string())->whyNoRunner() ==
        "skillhost-runner is missing: " + program.string() + "; reinstall skillhost");
  fs::create_directory(folder);
  std::ofstream(program) << "#!/bin/sh\n";
  ::chmod(folder.c_str(), 0755);
  ::chmod(program.c_str(), 0644);
  CHECK(contains(makeIsolation(program.string())->whyNoRunner(), "cannot be executed"));
  ::chmod(program.c_str(), 0757);
  CHECK(contains(makeIsolation(program.string())->whyNoRunner(), "others may write"));
  ::chmod(program.c_str(), 0755);
  CHECK(makeIsolation(program.string())->whyNoRunner().empty());
  // The program belongs where it was installed, so the message must not suggest moving it.
  ::chmod(folder.c_str(), 01777); // as /tmp
  const std::string open = makeIsolation(program.string())->whyNoRunner();
  CHECK(contains(open, "others may write " + folder.string()));
  CHECK_FALSE(contains(open, "move the plugin"));
}

TEST_CASE("what is known is told while a file is being looked into") {
  const Elsewhere elsewhere;
  elsewhere.add("good.so");
  // A program in place of the scanner, which reports that it has begun and then waits.
  const std::string begun = (elsewhere.root / "begun").string(),
                    end = (elsewhere.root / "end").string(),
                    program = (elsewhere.root / "program").string();
  REQUIRE(::mkfifo(begun.c_str(), 0600) == 0);
  REQUIRE(::mkfifo(end.c_str(), 0600) == 0);
  std::ofstream(program) << "#!/bin/sh\necho >" << begun << "\nread line <" << end << "\n";
  ::chmod(program.c_str(), 0755);
  PluginSettings settings = elsewhere.settings();
  settings.isolation = makeIsolation(program);
  PluginRegistry registry({}, settings);
  std::atomic<bool> scanned{false};
  std::thread scanning([&] {
    registry.describe(true);
    scanned = true;
  });
  std::ifstream(begun).get();
  const auto all = registry.describe(false);
  CHECK_FALSE(scanned);
  std::ofstream(end) << "\n";
  scanning.join();
  REQUIRE(all.size() == 1);
  CHECK(all[0].state == PluginState::Found);
}

TEST_CASE("isolation is chosen by where the file is, and by the configuration") {
  const Elsewhere elsewhere;
  const std::string file = elsewhere.add("scripted.so");
  PluginRegistry registry({fixtures}, elsewhere.settings());
  const auto isolationOf = [&](const std::string &name, const std::string &plugin,
                               Isolation isolation) {
    InstanceConfiguration configuration{name, plugin, "{}", {}};
    configuration.run.isolation = isolation;
    const auto source = registry.makeSource(configuration);
    INFO((source ? std::string() : source.failure().message));
    REQUIRE(source);
    const auto all = registry.describe(false);
    const auto one = std::find_if(all.begin(), all.end(),
                                  [&](const auto &made) { return made.instance == name; });
    REQUIRE(one != all.end());
    CHECK(one->state == PluginState::Loaded);
    CHECK((one->confinement.empty() == (one->isolation == "thread")));
    return one->isolation;
  };
  CHECK(isolationOf("a", file, Isolation::Auto) == "process");
  CHECK(isolationOf("b", fixtures + "/good.so", Isolation::Auto) == "thread");
  CHECK(isolationOf("c", fixtures + "/good.so", Isolation::Process) == "process");
  CHECK(isolationOf("d", file, Isolation::Thread) == "thread");
}

TEST_CASE("a path that allow_read names and that is not there is said") {
  const Elsewhere elsewhere;
  PluginRegistry registry({fixtures}, elsewhere.settings());
  InstanceConfiguration configuration{"hopeful", elsewhere.add("scripted.so"), "{}", {}};
  configuration.run.allowRead = {elsewhere.root.string(), "/nowhere/at-all"};
  Guarded<std::vector<std::string>> warnings;
  skillhost::log::listen([&](LogLevel, std::string_view, std::string_view text) {
    if (text.find("allow_read") != std::string_view::npos)
      warnings.with([&](auto &lines) { lines.emplace_back(text); });
  });
  CHECK(registry.makeSource(configuration));
  skillhost::log::listen(nullptr);
  warnings.with([](const auto &lines) {
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find("hopeful: allow_read: /nowhere/at-all") == 0);
  });
}

TEST_CASE("hosts that run at once have a cache directory each, and the next one takes the first") {
  const Elsewhere elsewhere;
  const std::string file = elsewhere.add("scripted.so");
  const fs::path instances = elsewhere.root / "cache" / "instances";
  const auto make = [&](PluginRegistry &registry) {
    auto source = registry.makeSource({"mine", file, "{}", {}});
    REQUIRE(source);
    return *source;
  };
  const auto folders = [&] {
    std::vector<std::string> names;
    for (const fs::directory_entry &one : fs::directory_iterator(instances))
      if (one.is_directory()) names.push_back(one.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  };
  {
    PluginRegistry first({}, elsewhere.settings()), second({}, elsewhere.settings());
    const auto one = make(first), other = make(second);
    REQUIRE(folders().size() == 2);
    CHECK(folders()[1] == folders()[0] + "-2");
  }
  PluginRegistry third({}, elsewhere.settings());
  const auto again = make(third);
  CHECK(folders().size() == 2);
}

TEST_CASE("what was held against the lock is loaded, whatever takes the file's place then") {
  const Elsewhere elsewhere;
  const std::string file = elsewhere.add("scripted.so");
  PluginSettings settings = elsewhere.settings();
  settings.lock = (elsewhere.root / "plugins.lock").string();
  std::ofstream(settings.lock) << lockText({file});
  PluginRegistry registry({}, settings);
  REQUIRE(registry.describe(true)[0].state == PluginState::Unconfigured);
  fs::copy_file(fixtures + "/probing.so", file, fs::copy_options::overwrite_existing);
  for (const Isolation isolation : {Isolation::Process, Isolation::Thread}) {
    InstanceConfiguration configuration{
        "mine", file, R"({"documents": [{"skill": "a", "text": "x"}]})", {}};
    configuration.run.isolation = isolation;
    const auto source = registry.makeSource(configuration);
    REQUIRE(source);
    const Result<Snapshot> listed = wait<Snapshot>([&](ResultCallback<Snapshot> answer) {
      (*source)->list(within(std::chrono::seconds(30)), std::move(answer));
    });
    REQUIRE(listed);
    REQUIRE(listed->documents.size() == 1);
    CHECK(listed->documents[0].skill == "a");
  }
}

TEST_CASE("a copy of a plugin file cannot be changed, and is loaded once") {
  const std::string file = fixtures + "/good.so";
  const auto copy = PluginCopy::of(file), again = PluginCopy::of(file);
  REQUIRE(copy);
  REQUIRE(again);
  CHECK((*copy)->digest() == *blake3OfFile(file));
  const int descriptor = (*copy)->descriptor();
  CHECK(::pwrite(descriptor, "x", 1, 0) < 0);
  CHECK(::ftruncate(descriptor, 0) != 0);
  CHECK(::mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) == MAP_FAILED);
  CHECK(::fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE) != 0);
  CHECK((*copy)->forLoading() == (*again)->forLoading());
  const auto first = openPlugin(file, (*copy)->forLoading());
  REQUIRE(first);
  CHECK(*first == *openPlugin(file, (*again)->forLoading()));
  CHECK(*first != *openPlugin(file)); // that one is loaded from the file itself
  const auto other = PluginCopy::of(fixtures + "/several.so");
  REQUIRE(other);
  CHECK(*first != *openPlugin(file, (*other)->forLoading()));
}

TEST_CASE("what is no file is not copied, nor waited for") {
  const Elsewhere elsewhere;
  const std::string pipe = (elsewhere.root / "pipe.so").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(contains(PluginCopy::of(pipe).failure().message, "is no file"));
  CHECK(contains(PluginCopy::of(pipe + "x").failure().message, "No such file"));
}

TEST_CASE("with a lock file only what is listed in it is used") {
  const Elsewhere elsewhere;
  const std::string good = elsewhere.add("good.so");
  const std::string lock = (elsewhere.root / "plugins.lock").string();
  PluginSettings settings = elsewhere.settings();
  settings.lock = lock;
  const auto refusal = [&] { return onlyOne(settings).reason; };

  CHECK(contains(refusal(), "No such file")); // an unreadable list allows no plugin
  std::ofstream(lock) << lockText({good});
  CHECK(refusal().empty());
  std::ofstream(lock) << "# by name\n\n" << *blake3OfFile(good) << "  good.so\n";
  CHECK(refusal().empty());
  std::ofstream(good, std::ios::app) << "x";
  CHECK(contains(refusal(), "not the file listed"));
  std::ofstream(lock) << *blake3OfFile(good) << "  other.so\n";
  CHECK(contains(refusal(), "not listed"));
  std::ofstream(lock) << "\nnot a digest good.so\n";
  CHECK(contains(refusal(), "plugins.lock:2"));
}
