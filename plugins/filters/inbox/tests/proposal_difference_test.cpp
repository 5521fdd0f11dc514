// SPDX-License-Identifier: Apache-2.0
// Tests the difference that a reviewer reads.
#include "catch2.hpp"
#include "inbox/proposal_difference.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace skillhost::inbox;

TEST_CASE("the difference names every file that differs, and shows its text") {
  const Files before{{"SKILL.md", {"one\ntwo\n"}},
                     {"gone.md", {"old\n"}},
                     {"same.md", {"s"}},
                     {"run.sh", {"x\n", false}}};
  const Files now{{"SKILL.md", {"one\nthree\n"}},
                  {"new.md", {"fresh\n"}},
                  {"same.md", {"s"}},
                  {"run.sh", {"x\n", true}},
                  {"z.bin", {std::string("\0\xff", 2)}}};
  const auto changes = changesOf(before, now);
  REQUIRE(changes.size() == 5);
  CHECK(titleOf(changes[0]) == "changed file SKILL.md");
  CHECK(changes[0].text.find("-two\n+three\n") != std::string::npos);
  CHECK(titleOf(changes[1]).starts_with("removed file gone.md (4 bytes, blake3:"));
  CHECK(titleOf(changes[2]) == "new file new.md");
  CHECK(changes[2].text.find("+fresh\n") != std::string::npos);
  CHECK(titleOf(changes[3]) == "changed file run.sh (it becomes executable)");
  CHECK(changes[3].text.empty());
  CHECK(changes[4].remark.starts_with("2 bytes, blake3:"));
  CHECK(changes[4].text.empty());
  CHECK(changesOf(now, now).empty());
  CHECK_FALSE(changes[1].isShown); // the removed text
  CHECK_FALSE(changes[4].isShown); // no text
  for (const std::size_t at : {0U, 2U, 3U}) CHECK(changes[at].isShown);
}

TEST_CASE("a long text that looks like a difference does not pass for one") {
  std::string hostile = "--- a\n@@ -1 +1 @@ hidden\n", shown = "+--- a\n+@@ -1 +1 @@ hidden\n";
  for (int i = 0; i < 20'001; ++i) {
    hostile += "x\n";
    shown += "+x\n";
  }
  const auto changes = changesOf({{"b.md", {"old\n"}}}, {{"a.md", {hostile}}, {"b.md", {hostile}}});
  REQUIRE(changes.size() == 2);
  for (const FileChange &one : changes) {
    CHECK(one.isShown);
    CHECK(one.text == "@@ -0,0 +1,20003 @@\n" + shown);
    CHECK(one.remark.ends_with("it is too long to be compared, so all of it follows"));
  }
}

TEST_CASE("a text in place of a file that was no text is shown whole, with the reason") {
  const auto changes = changesOf({{"a.md", {std::string("\0\xff", 2)}}}, {{"a.md", {"x\n"}}});
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].isShown);
  CHECK(changes[0].text == "@@ -0,0 +1 @@\n+x\n");
  CHECK(changes[0].remark.ends_with("it was no text before, so all of it follows"));
}

TEST_CASE("clients learn which files can be run") {
  const Files before{{"a.sh", {"x\n", false}}, {"b.sh", {"x\n", true}}, {"c.md", {"x\n", true}}};
  const Files now{{"a.sh", {"y\n", true}},
                  {"b.sh", {"x\n", false}},
                  {"c.md", {"y\n", true}},
                  {"d.sh", {"x\n", true}},
                  {"e.md", {"x\n", false}}};
  std::vector<skillhost::Json> files;
  for (const FileChange &one : changesOf(before, now)) files.push_back(fileJson(one));
  REQUIRE(files.size() == 5);
  CHECK(files[0]["executable"] == skillhost::Json{{"from", false}, {"to", true}});
  CHECK(files[1]["executable"] == skillhost::Json{{"from", true}, {"to", false}});
  CHECK_FALSE(files[2].contains("executable"));
  CHECK(files[3]["executable"] == true);
  CHECK(files[4]["executable"] == false);
  CHECK(files[3]["change"] == "new");
  CHECK_FALSE(files[0].contains("next_offset"));
}

TEST_CASE("a cut text can be read to its end in parts") {
  std::string all;
  for (int i = 0; i < 1'000; ++i) all += "line " + std::to_string(i) + " \u00e4\n";
  auto whole = changesOf({}, {{"a.md", {all}}});
  const std::string text = whole.front().text;
  std::string read;
  std::size_t parts = 0;
  for (std::size_t offset = 0; offset < text.size() && parts < 1'000; ++parts) {
    FileChange part{.path = "a.md", .text = text};
    cutTo(part, offset, 100);
    CHECK(part.text.size() <= 100);
    CHECK(part.rest == text.size() - part.next);
    read += part.text;
    offset = part.next;
  }
  CHECK(read == text);
  cutTo(whole, 50);
  CHECK(whole.front().text.size() <= 50);
  CHECK(whole.front().rest != 0);
  CHECK(fileJson(whole.front())["next_offset"] == whole.front().next);
}
