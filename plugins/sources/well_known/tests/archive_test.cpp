// SPDX-License-Identifier: Apache-2.0
// Tests compressed archives: packing is repeatable, reading restores the files, and limits hold.
#include "archive/packed.hpp"
#include "catch2.hpp"

#include <stdexcept>

using namespace skillhost::archive;

namespace {

const PackedLimits roomy{512, 16U << 20U};

std::string refused(const std::string &bytes, const PackedLimits &limits) {
  try {
    readPacked(bytes, limits);
    return "taken";
  } catch (const std::runtime_error &error) {
    return error.what();
  }
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("what is packed comes back, and the same files make the same archive") {
  const std::vector<PackedFile> files{{"SKILL.md", "text\n", false},
                                      {"a/" + std::string(200, 'x') + ".md", "", false},
                                      {"run.sh", std::string(100'000, '\0') + "end", true},
                                      {"été.md", "é", false}};
  const std::string packed = writePacked(files);
  CHECK(packed == writePacked(files));
  CHECK(packed.size() < 2'000);
  const std::vector<PackedFile> back = readPacked(packed, roomy);
  REQUIRE(back.size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    CHECK(back[i].path == files[i].path);
    CHECK(back[i].bytes == files[i].bytes);
    CHECK(back[i].executable == files[i].executable);
  }
}

TEST_CASE("an archive is refused at its limits") {
  const std::string two = writePacked({{"a", "12345", false}, {"b", "12345", false}});
  CHECK(refused(two, {2, 10}) == "taken");
  CHECK(has(refused(two, {1, 10}), "\"b\" is one file more than the 1"));
  CHECK(has(refused(two, {2, 9}), "\"b\" makes it more than the 9 bytes"));
  const std::string zeros = writePacked({{"a", std::string(3U << 20U, '\0'), false}});
  CHECK(has(refused(zeros, roomy), "100 times as large"));
  CHECK(refused(writePacked({{"a", std::string(1U << 20U, '\0'), false}}), roomy) == "taken");
  CHECK(has(refused("", roomy), "neither a .tar.gz nor a .zip"));
  CHECK(has(refused("PK", roomy), "cannot be unpacked"));
  for (const char *path : {"../a", "/a", "a//b", "a/./b", "a/../b", "a\\b", "a\nb"}) {
    CAPTURE(path);
    CHECK(has(refused(writePacked({{path, "", false}}), roomy), "no safe path"));
  }
  CHECK(has(refused(writePacked({{"a", "", false}, {"./a", "", false}}), roomy), "is there twice"));
}

TEST_CASE("each byte of an archive may be wrong") {
  const std::string packed = writePacked({{"SKILL.md", "some text", false}, {"b", "x", true}});
  std::size_t noticed = 0;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::string damaged = packed;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    // It returns and throws no other exception.
    noticed += refused(damaged, roomy) == "taken" ? 0U : 1U;
    refused(packed.substr(0, i), roomy);
  }
  CHECK(noticed > packed.size() / 2);
}
