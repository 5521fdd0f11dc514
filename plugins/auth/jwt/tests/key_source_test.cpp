// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "jwt/key_source.hpp"
#include "lent.hpp"
#include "signer.hpp"

#include <thread>
#include <vector>

using namespace auth_test;
using Catch::Matchers::Contains;
using nlohmann::json;
using skillhost::jwt::KeySource;

namespace {

json configuration(const std::string &file, int pause) {
  return {{"issuer", issuer}, {"jwks_file", file}, {"refetch_seconds", pause}};
}

bool has(const skillhost::jwt::KeySet &keys, const char *id) {
  return keys.find(id, skillhost::jwt::Algorithm::EdDsa) != nullptr;
}

} // namespace

TEST_CASE("keys rotate, and the old ones stay when the new cannot be had") {
  const TemporaryFolder folder;
  const std::string file = folder.write("jwks.json", Signer("EdDSA", "first").jwks());
  const LentHost host(configuration(file, 0).dump());
  KeySource source(skh::Config(host.host()), host.host());
  const LentCall call;
  const auto first = source.keys(call.call());
  CHECK(has(*first, "first"));
  folder.write("jwks.json", Signer("EdDSA", "second").jwks());
  CHECK(source.keys(call.call()) == first);
  const auto second = source.newer(call.call(), first);
  CHECK(has(*second, "second"));
  CHECK_FALSE(has(*second, "first"));
  folder.write("jwks.json", "what a proxy says");
  CHECK_THROWS_WITH(source.newer(call.call(), second), Contains("jwks.json is no JSON object"));
  CHECK(source.keys(call.call()) == second);
  CHECK_THROWS_WITH(source.check(call.call()), Contains("jwks.json is no JSON object"));
  folder.write("jwks.json", R"({"keys":[{"kty":"oct","k":"AAAA"}]})");
  CHECK_THROWS_WITH(source.check(call.call()), Contains("no usable key; keys left out: 1"));
}

TEST_CASE("keys that cannot be had anew do for a day, and no longer") {
  const TemporaryFolder folder;
  const std::string file = folder.write("jwks.json", Signer("EdDSA", "first").jwks());
  const LentHost host(configuration(file, 0).dump());
  KeySource::Clock::time_point now = KeySource::Clock::now();
  KeySource source(skh::Config(host.host()), host.host(), [&now] { return now; });
  const LentCall call;
  const auto first = source.keys(call.call());
  folder.write("jwks.json", "what a proxy says");
  now += std::chrono::hours(23);
  CHECK(source.keys(call.call()) == first);
  now += std::chrono::hours(1);
  CHECK_THROWS_WITH(source.keys(call.call()), Contains("jwks.json is no JSON object"));
  folder.write("jwks.json", Signer("EdDSA", "second").jwks());
  CHECK(has(*source.keys(call.call()), "second"));
}

TEST_CASE("unknown keys do not lead to one question each") {
  const TemporaryFolder folder;
  const std::string file = folder.write("jwks.json", Signer("EdDSA", "first").jwks());
  const LentHost host(configuration(file, 3'600).dump());
  KeySource source(skh::Config(host.host()), host.host());
  const LentCall call;
  const auto first = source.keys(call.call());
  folder.write("jwks.json", Signer("EdDSA", "second").jwks());
  CHECK(source.newer(call.call(), first) == first);
  source.check(call.call()); // check() asks in any case
  CHECK(has(*source.newer(call.call(), first), "second"));
}

TEST_CASE("many at once get the same keys, and one that was cancelled harms nobody") {
  const TemporaryFolder folder;
  const std::string file = folder.write("jwks.json", Signer("EdDSA", "first").jwks());
  const LentHost host(configuration(file, 3'600).dump());
  KeySource source(skh::Config(host.host()), host.host());
  std::vector<std::shared_ptr<const skillhost::jwt::KeySet>> got(8);
  std::vector<std::thread> threads;
  for (auto &one : got)
    threads.emplace_back([&one, &source] {
      const LentCall call;
      one = source.keys(call.call());
    });
  for (std::thread &thread : threads) thread.join();
  for (const auto &one : got) CHECK(one == got.front());
}
