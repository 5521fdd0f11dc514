// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "filesystem/settings.hpp"

#include <skillhost/plugin.hpp>

#include <cstdlib>

using namespace skillhost::filesystem;

TEST_CASE("settings have the defaults of the schema") {
  const Settings settings(R"({"directories":["/a/./b/../skills/"]})");
  REQUIRE(settings.directories.size() == 1);
  CHECK(settings.directories[0].path == "/a/skills");
  CHECK(settings.directories[0].name == "skills");
  CHECK(settings.include.empty());
  CHECK_FALSE(settings.hidden);
  CHECK(settings.watch == WatchMode::automatic);
  CHECK(settings.pollInterval.count() == 2'000);
  CHECK(settings.debounce.count() == 50);
  CHECK(settings.maxFileBytes == 64U << 20U);
  CHECK(settings.maxFiles == 200'000);
  CHECK(settings.threads >= 1);
  CHECK(settings.threads <= 4);
}

TEST_CASE("the home directory is filled in") {
  REQUIRE(::setenv("HOME", "/home/somebody", 1) == 0);
  const Settings settings(R"({"directories":["~/skills","~"]})");
  CHECK(settings.directories[0].path == "/home/somebody/skills");
  CHECK(settings.directories[1].path == "/home/somebody");
  REQUIRE(::setenv("HOME", "relative", 1) == 0);
  CHECK(Settings(R"({"directories":["~"]})").directories[0].path.front() == '/');
}

TEST_CASE("names of directories are unique and can be ids") {
  const Settings settings(R"({"directories":["/x","/a/x","/b/x-2","/","/odd\\name"]})");
  std::vector<std::string> names;
  names.reserve(settings.directories.size());
  for (const Directory &directory : settings.directories) names.push_back(directory.name);
  CHECK(names == std::vector<std::string>{"x", "x-2", "x-2-2", "root", "odd_name"});
}

TEST_CASE("a wrong configuration is refused, naming the key") {
  const auto refusal = [](const std::string &configuration) -> std::string {
    try {
      const Settings settings(configuration);
    } catch (const skh::Error &error) {
      CHECK(error.status() == SKH_INVALID);
      return error.what();
    }
    return "accepted";
  };
  const std::string good = R"({"directories":["/x"],)";
  CHECK(refusal("{}").find("directories") == 0);
  CHECK(refusal(R"({"directories":["relative"]})").find("\"relative\"") != std::string::npos);
  CHECK(refusal(R"({"directories":["~other/x"]})").find("directories") == 0);
  CHECK(refusal(good + R"("watch":"sometimes"})").find("watch: ") == 0);
  CHECK(refusal(good + R"("include":["[a"]})").find("include: the pattern \"[a\" has a [") == 0);
  CHECK(refusal(good + R"("threads":-1})").find("threads: ") == 0);
  CHECK(refusal(good + R"("poll_interval_ms":0})").find("poll_interval_ms: ") == 0);
  CHECK(refusal(good + R"("max_files":"many"})").find("max_files: ") == 0);
}
