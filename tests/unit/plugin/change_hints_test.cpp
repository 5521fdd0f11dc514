// SPDX-License-Identifier: Apache-2.0
// Tests that a listener receives a plugin's hints, whenever it is set.
#include "change_hints.hpp"

#include "awaited.hpp"
#include "catch2.hpp"

#include <memory>

using namespace skillhost;

TEST_CASE("a hint from before somebody listens is heard, once") {
  const auto hints = std::make_shared<ChangeHints>();
  hints->hint();
  Awaited<int> heard;
  hints->listen([&] { heard.push(1); });
  heard.next();
  hints->hint();
  heard.next();
  hints->listen(nullptr); // `heard` must not be used after it is destroyed
  CHECK(heard.waiting() == 0);
}

TEST_CASE("who listens from the start hears of a hint on the thread that gives it") {
  const auto hints = std::make_shared<ChangeHints>();
  int heard = 0;
  hints->listen([&] { ++heard; });
  CHECK(heard == 0);
  hints->hint();
  CHECK(heard == 1);
}
