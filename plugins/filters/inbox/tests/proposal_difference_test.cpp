// SPDX-License-Identifier: Apache-2.0
// Tests the difference that a reviewer reads.
#include "catch2.hpp"
#include "inbox/proposal_difference.hpp"

#include <string>

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
  CHECK(titleOf(changes[1]) == "removed file gone.md");
  CHECK(titleOf(changes[2]) == "new file new.md");
  CHECK(changes[2].text.find("+fresh\n") != std::string::npos);
  CHECK(changes[3].text == "it becomes executable\n");
  CHECK(changes[4].text.find("2 bytes, blake3:") == 0);
  CHECK(changesOf(now, now).empty());
}

TEST_CASE("a cut text can be read to its end in parts") {
  std::string all;
  for (int i = 0; i < 1'000; ++i) all += "line " + std::to_string(i) + " \u00e4\n";
  auto whole = changesOf({}, {{"a.md", {all}}});
  const std::string text = whole.front().text;
  std::string read;
  std::size_t parts = 0;
  for (std::size_t offset = 0; offset < text.size() && parts < 1'000; ++parts) {
    FileChange part{"a.md", '+', text};
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
}
