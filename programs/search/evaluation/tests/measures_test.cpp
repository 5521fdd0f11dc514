// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "evaluation/measures.hpp"

#include <cmath>

using namespace skillhost::evaluation;

TEST_CASE("a ranking is measured as the definitions say") {
  const Measured first = measured({"a", "b"}, {"a"});
  CHECK(first.hit == 1);
  CHECK(first.reciprocalRank == 1);
  CHECK(first.gain == 1);
  CHECK(first.recall == 1);
  CHECK(first.rank == 1);

  // Two of three are found, at the places 2 and 3.
  const Measured some = measured({"x", "a", "b"}, {"a", "b", "c"});
  CHECK(some.hit == 0);
  CHECK(some.reciprocalRank == 0.5);
  CHECK(some.gain == Approx((1 / std::log2(3) + 0.5) / (1 + 1 / std::log2(3) + 0.5)));
  CHECK(some.recall == Approx(2.0 / 3));
  CHECK(some.rank == 2);

  const Measured none = measured({}, {"a"});
  CHECK(none.hit + none.reciprocalRank + none.gain + none.recall == 0);
  CHECK(none.rank == 0);
}

TEST_CASE("only the first ten of a ranking count") {
  std::vector<std::string> ranking(10, "x");
  ranking.emplace_back("a");
  CHECK(measured(ranking, {"a"}).rank == 0);
  ranking[9] = "a";
  const Measured last = measured(ranking, {"a"});
  CHECK(last.rank == 10);
  CHECK(last.reciprocalRank == 0.1);
  CHECK(last.gain == Approx(1 / std::log2(11)));
  // More than ten are relevant, so the ideal has ten of them.
  std::set<std::string> many;
  std::vector<std::string> all;
  for (char name = 'a'; name < 'a' + 12; ++name) many.insert(all.emplace_back(1, name));
  CHECK(measured(all, many).gain == Approx(1));
  CHECK(measured(all, many).recall == Approx(10.0 / 12));
}

TEST_CASE("the measures of a set are the means of its questions") {
  Measures measures;
  CHECK(measures.hit() == 0);
  measures.add({"a"}, {"a"});
  measures.add({"b", "a"}, {"a"});
  measures.add({"b"}, {"a"});
  CHECK(measures.count() == 3);
  CHECK(measures.hit() == Approx(1.0 / 3));
  CHECK(measures.reciprocalRank() == Approx(0.5));
  CHECK(measures.gain() == Approx((1 + 1 / std::log2(3)) / 3));
  CHECK(measures.recall() == Approx(2.0 / 3));
}
