// SPDX-License-Identifier: Apache-2.0
// Tests how written values are read, and the messages for wrong ones.
#include "settings/key_rows.hpp"
#include "settings/members.hpp"
#include "settings/paths.hpp"
#include "settings/secrets.hpp"
#include "settings/shipped.hpp"

#include "catch2.hpp"

#include <array>

using namespace skillhost;
using namespace skillhost::settings;

// No feature declares a key.
std::string_view skillhost::settings::gathered() noexcept { return "[]"; }
std::string_view skillhost::settings::shipped() noexcept { return "{}"; }

namespace {

enum class Level : std::uint8_t { Low, High };

// The configuration of a program that is not a server.
struct Demo {
  std::size_t bytes = 1'024;
  std::optional<std::string> file;
  std::vector<std::string> patterns;
  Level level = Level::Low;
  std::string token;
  bool isOn = false;
};

} // namespace

template <> struct skillhost::settings::Names<Level> {
  static constexpr std::array<std::string_view, 2> all{"low", "high"};
};

namespace {

std::string notEvil(const std::string &text) { return text == "evil" ? "is evil" : ""; }

constexpr std::array demoKeys{
    rows::key<Demo, &Demo::bytes>("size.kilobytes", "", rows::between(1, 9, 1'024), "Size."),
    rows::key<Demo, &Demo::file>("file", "--file", rows::folders, "A file."),
    rows::key<Demo, &Demo::patterns>("patterns", "", Rule{1, 9, Meaning::Glob, 1, notEvil},
                                     "Globs."),
    rows::key<Demo, &Demo::level>("level", "", rows::any, "A level."),
    rows::key<Demo, &Demo::token>("token", "", Rule{1, 99, Meaning::Secret}, "A secret."),
    rows::key<Demo, &Demo::isOn>("is_on", "", rows::any, "A flag."),
};

struct Read {
  Demo demo;
  std::vector<std::string> problems, secrets;
};

Read read(const std::string &text) {
  Environment environment;
  environment.variables = {{"HOME", "/home/me"}, {"TOKEN", "from-the-environment"}};
  Reading reading{"demo.yaml", "/etc", environment};
  const Result<Written> document = readDocument(text);
  REQUIRE(document);
  Read out;
  readMembers(reading, *document, std::span<const Key<Demo>>(demoKeys), out.demo);
  out.problems = reading.problems;
  out.secrets = reading.secrets;
  return out;
}

std::string problem(const std::string &text) {
  const Read done = read(text);
  REQUIRE(done.problems.size() == 1);
  return done.problems.front();
}

} // namespace

TEST_CASE("values come into their fields as their type and their rule say") {
  const Read done = read("size: {kilobytes: 3}\nfile: ~/x/../y\npatterns: 'a*'\nlevel: HIGH\n"
                         "token: env:TOKEN\nis_on: true\n");
  CHECK(done.problems.empty());
  CHECK(done.demo.bytes == 3'072);
  CHECK(done.demo.file == "/home/me/y");
  CHECK(done.demo.patterns == std::vector<std::string>{"a*"});
  CHECK(done.demo.level == Level::High);
  CHECK(done.demo.token == "from-the-environment");
  CHECK(done.demo.isOn);
  CHECK(done.secrets == std::vector<std::string>{"from-the-environment"});
  const Json written = writeMembers(std::span<const Key<Demo>>(demoKeys), done.demo);
  CHECK(written["size"]["kilobytes"] == 3);
  CHECK(written["level"] == "high");
  CHECK(masked(written, done.secrets)["token"] == "***masked***");
}

TEST_CASE("a wrong value is told with its place and what to write, and changes nothing") {
  CHECK(problem("size: {kilobytes: 10}") ==
        "demo.yaml:1:19: size.kilobytes: expected a whole number from 1 to 9, found the number 10");
  CHECK(problem("size: 3") == "demo.yaml:1:7: size: expected a map of keys, found the number 3");
  CHECK(problem("size: {kilobyte: 3}") ==
        "demo.yaml:1:8: size: unknown key \"kilobyte\" - did you mean \"kilobytes\"?");
  CHECK(problem("kilobytes: 3") == "demo.yaml:1:1: unknown key \"kilobytes\" - did you mean "
                                   "kilobytes in the section size?");
  CHECK(problem("file: ''") == "demo.yaml:1:7: file: \"\" must not be empty");
  CHECK(problem("patterns: [ok, evil]") == "demo.yaml:1:16: patterns: \"evil\" is evil");
  CHECK(problem("level: hig") == "demo.yaml:1:8: level: expected low or high, found \"hig\" - did "
                                 "you mean \"high\"?");
  CHECK(problem("token: env:NONE") == "demo.yaml:1:8: token: the environment variable NONE is not "
                                      "set: export it, or take the reference out");
  CHECK(problem("is_on: 'on'") == "demo.yaml:1:8: is_on: expected true or false, found \"on\"");
  CHECK(read("is_on: 1\nlevel: 2").demo.level == Level::Low);
}

TEST_CASE("a path begins at home, at the folder it was written in, or at the root") {
  Environment environment;
  environment.variables["HOME"] = "/home/me";
  CHECK(absolutePath("~", "/etc", environment) == "/home/me");
  CHECK(absolutePath("./a/", "/etc", environment) == "/etc/a");
  CHECK(absolutePath("/a/../b", "/etc", environment) == "/b");
  environment.variables["HOME"] = "here"; // a relative HOME would be another folder everywhere
  CHECK(absolutePath("~/a", "/etc", environment) == "/etc/~/a");
}

TEST_CASE("rows are put behind the one that is named") {
  std::vector<Key<Demo>> all(demoKeys.begin(), demoKeys.begin() + 2);
  rows::insertBehind<Demo>(all, "size.kilobytes", std::span(demoKeys).subspan(4));
  REQUIRE(all.size() == 4);
  CHECK(all[1].name == "token");
  CHECK(all[3].name == "file");
  CHECK(rows::joined<Demo>(all, demoKeys).size() == 10);
  CHECK(variableFor("size.kilobytes") == "SKILLHOST_SIZE_KILOBYTES");
}
