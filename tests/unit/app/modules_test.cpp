// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "modules.hpp"

#include <stdexcept>
#include <string>

using skillhost::app::Modules;

TEST_CASE("modules stop in the reverse order of their start, each of them once") {
  std::string stopped;
  {
    Modules modules;
    for (const char *const name : {"a", "b", "c"}) modules.add([&, name] { stopped += name; });
    modules.stop();
    CHECK(stopped == "cba");
    modules.add([&] { stopped += 'd'; });
  }
  CHECK(stopped == "cbad");
}

TEST_CASE("what has started stops also when the rest cannot start") {
  std::string stopped;
  const auto start = [&] {
    Modules modules;
    modules.add([&] { stopped += 'a'; });
    throw std::runtime_error("b cannot start");
  };
  CHECK_THROWS_AS(start(), std::runtime_error);
  CHECK(stopped == "a");
}
