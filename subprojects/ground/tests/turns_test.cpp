// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/turns.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("each has its turn, and what each has added stays in order") {
  Turns<int> turns;
  CHECK(turns.empty());
  CHECK_FALSE(turns.take());
  for (int i = 0; i < 4; ++i) turns.add("a", i);
  turns.add("b", 10);
  turns.add("c", 20);
  turns.add("b", 11);
  CHECK(turns.size() == 7);
  CHECK(turns.sizeOf("a") == 4);
  CHECK(turns.sizeOf("d") == 0);
  std::string order;
  while (const auto item = turns.take()) order += std::to_string(*item) + ' ';
  CHECK(order == "0 10 20 1 11 2 3 ");
  CHECK(turns.empty());
}

TEST_CASE("whose turn it may not be keeps its place") {
  Turns<int> turns;
  for (const char *whose : {"a", "b", "c"})
    for (int i = 0; i < 2; ++i) turns.add(whose, i);
  const auto notA = [](const std::string &whose) { return whose != "a"; };
  CHECK(turns.has(notA));
  CHECK(turns.take(notA) == 0); // from b
  CHECK(turns.sizeOf("b") == 1);
  CHECK(turns.take() == 0); // from a, which is still first
  CHECK(turns.sizeOf("a") == 1);
  CHECK_FALSE(turns.take([](const std::string &) { return false; }));
  const auto zero = turns.takeAll([](int item) { return item == 0; }); // from c
  CHECK(zero.size() == 1);
  CHECK(turns.size() == 3);
  int sum = 0;
  turns.each([&](int item) { sum += item; });
  CHECK(sum == 3);
  CHECK(turns.takeAll([](int) { return true; }).size() == 3);
  CHECK(turns.empty());
  CHECK_FALSE(turns.has([](const std::string &) { return true; }));
  turns.add("a", 5);
  CHECK(turns.take() == 5);
}
