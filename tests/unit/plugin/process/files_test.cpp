// SPDX-License-Identifier: Apache-2.0
// Files from elsewhere: looked into by a child, remembered by digest, held to plugins.lock.
#include "catch2.hpp"
#include "plugin_lock.hpp"
#include "process/scan.hpp"
#include "running.hpp"

#include "base/blake3.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace skillhost;
using namespace running;
namespace fs = std::filesystem;

namespace {

// A folder of plugins from elsewhere, and one for what is learnt of them.
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
  PluginSettings settings() const { return {{plugins.string()}, runner, cache.string(), {}}; }

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
  process::Scan scan;
  scan.plugins.push_back(factsOf(fixtures + "/scripted.so"));
  const process::Scan back = process::scanFromJson(process::toJson(scan));
  REQUIRE(back.plugins.size() == 1);
  CHECK(back.plugins[0].id == "test.scripted");
  CHECK(back.plugins[0].configSchema == scan.plugins[0].configSchema);
  CHECK(back.plugins[0].has("changes"));
  for (const char *text : {"", "[]", "{}", R"({"plugins": [{}]})", R"({"plugins": 1})"})
    CHECK_FALSE(process::scanFromJson(text).refusal.empty());
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
  // Another program that cannot scan: the answer is what was remembered.
  PluginSettings settings = elsewhere.settings();
  settings.program = "/bin/false";
  CHECK(onlyOne(settings).id == "test.scripted");
}

TEST_CASE("a file whose scan crashed is not looked into again until it changes") {
  const Elsewhere elsewhere;
  const std::string file = elsewhere.add("elsewhere/crashing_load.so");
  const PluginDescription crashed = onlyOne(elsewhere.settings());
  CHECK(crashed.state == PluginState::CrashedAtScan);
  CHECK(contains(crashed.reason, "SIGABRT"));
  PluginSettings settings = elsewhere.settings();
  settings.program = "/bin/false";
  CHECK(contains(onlyOne(settings).reason, "SIGABRT")); // remembered
  fs::copy_file(fixtures + "/good.so", file, fs::copy_options::overwrite_existing);
  CHECK(onlyOne(elsewhere.settings()).state == PluginState::Unconfigured);
}

TEST_CASE("isolation is chosen by where the file is, and by the configuration") {
  const Elsewhere elsewhere;
  const std::string file = elsewhere.add("scripted.so");
  PluginRegistry registry({fixtures}, elsewhere.settings());
  const auto isolationOf = [&](const std::string &name, const std::string &plugin,
                               Isolation isolation) {
    InstanceConfiguration configuration{name, plugin, "{}", {}};
    configuration.isolation = isolation;
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

TEST_CASE("with a lock file only what is listed in it is used") {
  const Elsewhere elsewhere;
  const std::string good = elsewhere.add("good.so");
  const std::string lock = (elsewhere.root / "plugins.lock").string();
  PluginSettings settings = elsewhere.settings();
  settings.lock = lock;
  const auto refusal = [&] { return onlyOne(settings).reason; };

  CHECK(contains(refusal(), "No such file")); // a list that cannot be read lists nothing
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
