// SPDX-License-Identifier: Apache-2.0
// Tests which files of a skill its text names, and the work of finding out.
#include "catch2.hpp"
#include "skillmd/named_files.hpp"

#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace skillhost;

namespace {

constexpr std::size_t plenty = 1'000'000'000;

std::string named(const std::vector<std::string> &paths, std::string_view text) {
  std::size_t steps = plenty;
  std::string out;
  for (const bool one : namedFiles(paths, text, steps)) out += one ? '1' : '0';
  return out;
}

// The definition of namedFiles(), file by file.
bool isNamed(std::string_view text, std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    constexpr std::string_view continues = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    if (at == 0 || continues.find(text[at - 1]) == continues.npos) return true;
  }
  return false;
}

// Makes a text of missing paths as long as a large SKILL.md.
std::string absentPaths() {
  std::string text;
  for (int i = 0; text.size() < (62U << 10U); ++i)
    text += "scripts/file" + std::to_string(i) + ".py\n";
  return text;
}

std::size_t stepsFor(std::size_t files) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < files; ++i)
    paths.push_back("data/file" + std::to_string(i) + "x.json");
  std::size_t steps = plenty;
  namedFiles(paths, absentPaths(), steps);
  return plenty - steps;
}

} // namespace

TEST_CASE("a text names a file by its name, whatever folder stands before it") {
  CHECK(named({"a/run.py", "run.py", "b/other.py"}, "Call x/run.py.") == "110");
  CHECK(named({"run.py"}, "`run.py`") == "1");
  CHECK(named({"run.py"}, "prerun.py pre_run.py pre-run.py 1run.py") == "0");
  CHECK(named({"run.py"}, "run.pyc") == "1");
  CHECK(named({"a", "ab", "abc", "b"}, "(abc") == "1110");
  CHECK(named({"a b.md", "caf\xC3\xA9.md"}, "\xC3\xA9 a b.md/caf\xC3\xA9.md") == "11");
  CHECK(named({"run.py"}, "run.p").front() == '0');
  CHECK(named({"run.py"}, "") == "0");
  CHECK(named({}, "run.py").empty());
}

TEST_CASE("that is so for any names and text") {
  std::mt19937 random(7);
  const auto word = [&](std::size_t longest) {
    std::string made;
    for (std::size_t length = 1 + random() % longest; made.size() < length;)
      made += "ab.-_ \xC3"[random() % 7];
    return made;
  };
  for (int i = 0; i < 300; ++i) {
    std::vector<std::string> paths;
    for (int j = 0; j < 20; ++j) paths.push_back((j % 3 == 0 ? "x/" : "") + word(5));
    const std::string text = word(200);
    std::string expected;
    for (const std::string &path : paths) expected += isNamed(text, path) ? '1' : '0';
    CAPTURE(text);
    CHECK(named(paths, text) == expected);
  }
}

TEST_CASE("what it takes depends on the text, and hardly on the number of files") {
  const std::size_t few = stepsFor(10), many = stepsFor(20'000);
  CHECK(few > 1'000); // it has searched
  CHECK(many < absentPaths().size());
  CHECK(many < 5 * few);
}

TEST_CASE("names that are not met while there are steps count as not named") {
  const std::vector<std::string> paths{"a.md", "b.md"};
  std::size_t steps = 5;
  CHECK(namedFiles(paths, "a.md b.md", steps) == std::vector<bool>{true, false});
  CHECK(steps == 0);
}
