// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/analysis.hpp"
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

TEST_CASE("terms are counted by field, with the lengths of the fields") {
  TermCounter counter;
  counter.add((1U << 20U) - 1, Field::Body);
  for (int i = 0; i < 300; ++i) counter.add(7, Field::Description);
  counter.add(0, Field::Name);
  counter.add(7, Field::Keywords);
  counter.add(7, Field::Keywords);
  const TermCounts counted = counter.take();
  CHECK(counted.lengths == PerField<std::uint32_t>{1, 2, 300, 1});
  REQUIRE(counted.terms.size() == 3);
  CHECK(counted.terms[0].term == (1U << 20U) - 1);
  CHECK(counted.terms[0].counts == countsOf(Field::Body, 1));
  CHECK(counted.terms[1].term == 7);
  CHECK(counted.terms[1].counts ==
        (countsOf(Field::Keywords, 2) | countsOf(Field::Description, 255)));
  CHECK(counted.terms[2].term == 0);
  CHECK(counted.terms[2].counts == countsOf(Field::Name, 1));
  const TermCounts none = counter.take();
  CHECK(none.terms.empty());
  CHECK(none.lengths == PerField<std::uint32_t>{});
}

TEST_CASE("stems are remembered up to a limit, and are the same afterwards") {
  const auto language = std::make_shared<const Language>("english", std::nullopt);
  Stems stems(language);
  const std::uint32_t merging = stems.number("merging");
  CHECK(stems.number("merging") == merging);
  CHECK(stems.stem(merging) == "merg");
  CHECK(stems.stem(stems.number("merged")) == "merg");
  CHECK(stems.isStopWord(stems.number("the")));
  CHECK_FALSE(stems.isStopWord(merging));
  for (int number = 0; !stems.isFull(); ++number) stems.number("word" + std::to_string(number));
  CHECK(stems.stem(stems.number("merging")) == "merg");
  stems.clear();
  CHECK(stems.size() == 0);
  CHECK(stems.stem(stems.number("merging")) == "merg");

  // An analyser whose stems become full gives a word the number that it had before.
  Analyser analyser(stems);
  FieldTexts first;
  first.name = "merging";
  const std::uint32_t before = analyser.analyse(first).words.terms.at(0).term;
  std::string many;
  for (int number = 0; number < 70'000; ++number) many += "w" + std::to_string(number) + "x ";
  FieldTexts second;
  second.body = many;
  analyser.analyse(second);
  CHECK(analyser.analyse(first).words.terms.at(0).term == before);
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
