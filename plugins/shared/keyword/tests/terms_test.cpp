// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/analysis.hpp"
#include "keyword/packed.hpp"
#include "keyword/term_table.hpp"

using namespace skillhost::keyword;

TEST_CASE("a table knows the terms it was given and no others") {
  TermTable table;
  CHECK_FALSE(table.find("term0"));
  for (std::uint32_t i = 0; i < 1000; ++i)
    REQUIRE(table.number("term" + std::to_string(i * 7)) == i);
  table.shrink();
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::string term = "term" + std::to_string(i * 7);
    REQUIRE(table.find(term) == i);
    REQUIRE(table.number(term) == i);
    REQUIRE(table.term(i) == term);
  }
  CHECK(table.size() == 1000);
  CHECK_FALSE(table.find("term1"));
  CHECK_FALSE(table.find(""));
  CHECK(table.number("") == 1000);
  CHECK(table.find("") == 1000);
}

TEST_CASE("counted terms come back packed, ascending, and with the lengths of the fields") {
  TermCounter counter;
  counter.add((1U << 20U) - 1, Field::Body);
  for (int i = 0; i < 300; ++i) counter.add(7, Field::Description);
  counter.add(0, Field::Name);
  counter.add(7, Field::Keywords);
  counter.add(7, Field::Keywords);
  const TermVector vector = counter.take();
  CHECK(vector.lengths() == PerField<std::uint32_t>{1, 2, 300, 1});
  const std::vector<TermCount> counts = vector.counts();
  REQUIRE(counts.size() == 4);
  const auto is = [&counts](std::size_t i, std::uint32_t term, Field field, int count) {
    return counts[i].term == term && counts[i].field == field && counts[i].count == count;
  };
  CHECK(is(0, 0, Field::Name, 1));
  CHECK(is(1, 7, Field::Keywords, 2));
  CHECK(is(2, 7, Field::Description, 255));
  CHECK(is(3, (1U << 20U) - 1, Field::Body, 1));
  CHECK(counter.take().counts().empty());
}

TEST_CASE("packed numbers take the bytes they need") {
  std::array<std::uint8_t, 10> bytes{};
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{16'384},
        std::uint64_t{UINT32_MAX}, std::uint64_t{UINT64_MAX}}) {
    std::size_t end = 0;
    pack(bytes, end, value);
    CHECK(end == packedSize(value));
    std::size_t at = 0;
    CHECK(unpack(bytes, at) == value);
    CHECK(at == end);
  }
}

TEST_CASE("runs of four characters never cut one") {
  std::vector<std::string> runs;
  const auto take = [&runs](std::string_view run) { runs.emplace_back(run); };
  forEachRun("café", take);
  CHECK(runs == std::vector<std::string>{"^caf", "café", "afé$"});
  runs.clear();
  forEachRun("ab", take);
  CHECK(runs == std::vector<std::string>{"^ab$"});
  runs.clear();
  forEachRun("a", take);
  CHECK(runs.empty());
}
