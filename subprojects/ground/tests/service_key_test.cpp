// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/service_key.hpp"

#include <array>
#include <string>
#include <string_view>

using namespace skillhost;

TEST_CASE("the key of a service comes from its secret alone") {
  const auto mark = [](const std::string &secret, const std::string &use) {
    return keyOfService(Secret(secret), use).digest(std::array<std::string_view, 1>{"text"});
  };
  CHECK(mark("one secret", "ids") == mark("one secret", "ids"));
  CHECK(mark("one secret", "ids") != mark("one secret", "others"));
  CHECK(mark("one secret", "ids") != mark("another", "ids"));
}

TEST_CASE("the key of a use is the same in every version of skillhost") {
  const auto digest = keyOfService(Secret("secret of the test"), "use of the test")
                          .digest(std::array<std::string_view, 1>{"text"});
  CHECK(hexadecimal(digest) == "57a00df1bae509fa224033bdffb9dfff4f7f3ee8b77cd96bdcb5503be19fbad2");
}
