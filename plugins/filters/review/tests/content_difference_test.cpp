// SPDX-License-Identifier: Apache-2.0
// Tests differences of texts: of small ones by hand, of many by applying them.
#include "catch2.hpp"
#include "content_difference.hpp"

#include <random>
#include <sstream>
#include <vector>

using namespace skillhost;

namespace {

constexpr std::size_t muchRoom = 10'000'000;

std::vector<std::string> lines(const std::string &text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// Returns `before` with the difference applied; every line of it has to fit.
std::string applied(const std::string &before, const std::string &difference) {
  const std::vector<std::string> old = lines(before);
  std::string out;
  std::size_t at = 0;
  for (const std::string &line : lines(difference)) {
    if (line.starts_with("@@ -")) {
      std::size_t first = std::stoul(line.substr(4));
      const std::size_t comma = line.find_first_of(", ", 4);
      const bool isEmpty = line.compare(comma, 3, ",0 ") == 0;
      if (!isEmpty) --first;
      for (; at < first; ++at) out += old.at(at) + '\n';
      continue;
    }
    if (line[0] == '+') {
      out += line.substr(1) + '\n';
      continue;
    }
    CHECK(old.at(at) == line.substr(1));
    if (line[0] == ' ') out += old[at] + '\n';
    ++at;
  }
  for (; at < old.size(); ++at) out += old[at] + '\n';
  return out;
}

} // namespace

TEST_CASE("a difference has the lines that differ, and three around") {
  CHECK(differenceOf("a\nb\n", "a\nb\n", muchRoom).empty());
  CHECK(differenceOf("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", muchRoom) ==
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(differenceOf("", "a\nb\n", muchRoom) == "@@ -0,0 +1,2 @@\n+a\n+b\n");
  CHECK(differenceOf("a\n", "", muchRoom) == "@@ -1 +0,0 @@\n-a\n");
  CHECK(differenceOf("a", "a\n", muchRoom).find("line end") != std::string::npos);
}

TEST_CASE(
    "what differs too much is shown as a whole, and what takes too much room is cut and says so") {
  std::string before, now;
  for (int i = 0; i < 2'000; ++i) {
    before += "b" + std::to_string(i) + '\n';
    now += "n" + std::to_string(i) + '\n';
  }
  before = "first\n" + before;
  now = "first\n" + now;
  const std::string difference = differenceOf(before, now, muchRoom);
  CHECK(difference.starts_with("@@ -1,2001 +1,2001 @@\n first\n-b0\n"));
  CHECK(difference.find("+n1999\n") != std::string::npos);
  CHECK(applied(before, difference) == now);
  CHECK(differenceOf("", now, 100).find("the rest is left out") != std::string::npos);
}

TEST_CASE("a difference turns the one text into the other") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> text;
    for (auto i = random() % 40; i != 0; --i) text.push_back(std::to_string(random() % 6));
    std::string before, now;
    for (const std::string &line : text) before += line + '\n';
    for (auto i = random() % 8; i != 0; --i) {
      const auto at = text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() + 1));
      if (random() % 2 == 0 || at == text.end())
        text.insert(at, std::to_string(random() % 6));
      else
        text.erase(at);
    }
    for (const std::string &line : text) now += line + '\n';
    INFO("round " << round << "\n" << before << "---\n" << now);
    CHECK(applied(before, differenceOf(before, now, muchRoom)) == now);
  }
}
