// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/request_state.hpp"

#include <chrono>
#include <string>

using namespace skillhost;

TEST_CASE("a sealed state opens for what it was sealed for") {
  const SignedRequestState seal;
  const SignedRequestState::Binding binding{"plugin", "tools/call", "tool", "{}", "me"};
  const auto now = SignedRequestState::Clock::now();
  const std::string sealed = seal.seal(binding, "state", now);
  REQUIRE(seal.open(binding, sealed, now));
  CHECK(*seal.open(binding, sealed, now) == "state");
  CHECK_FALSE(
      seal.open(binding, sealed, now + SignedRequestState::lasts + std::chrono::seconds(2)));
  CHECK_FALSE(seal.open(binding, sealed + "-TAMPERED", now));
  CHECK_FALSE(seal.open(binding, "", now));
  CHECK_FALSE(SignedRequestState().open(binding, sealed, now));
  for (std::size_t i = 0; i < binding.size(); ++i) {
    SignedRequestState::Binding other = binding;
    other[i] += "x";
    CHECK_FALSE(seal.open(other, sealed, now));
  }
  std::string later = sealed;
  later[15] = later[15] == 'f' ? '0' : 'f'; // its expiry
  CHECK_FALSE(seal.open(binding, later, now));
}
