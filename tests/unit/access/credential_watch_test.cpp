// SPDX-License-Identifier: Apache-2.0
// Tests that a stream ends with the credential that opened it, and not before.
#include "access/credential_watch.hpp"

#include "scripted_provider.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

constexpr auto watchPatience = 30s;
const std::string resource = "https://skills.example/mcp";

// The provider's answers, which a test may change.
struct Script {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("skillhost-watch-" + std::to_string(::getpid())))
          .string();
  explicit Script(const std::string &tokens) { says(tokens); }
  ~Script() { std::filesystem::remove(path); }
  Script(const Script &) = delete;
  Script &operator=(const Script &) = delete;
  void says(const std::string &tokens) const {
    std::ofstream(path + ".new") << R"({"tokens":{)" << tokens << "}}";
    std::filesystem::rename(path + ".new", path);
  }
  std::string config() const { return R"({"file":")" + path + R"("})"; }
};

constexpr const char *good = R"("t":{"subject":"ada","scopes":["a"],"expires_in":3600})";

struct Stream {
  Stream(
      CredentialWatches &watches, const PrincipalPointer &principal,
      CredentialWatches::IsStillAllowed isStillAllowed = [](const Principal &) { return true; })
      : watch(watches.watch({Secret("t"), "127.0.0.1:1"}, principal, std::move(isStillAllowed),
                            [this](std::string_view why) { ended.set_value(std::string(why)); })) {}

  std::string why() {
    auto told = ended.get_future();
    REQUIRE(told.wait_for(watchPatience) == std::future_status::ready);
    return told.get();
  }

  std::promise<std::string> ended;
  WatchPointer watch;
};

} // namespace

TEST_CASE("a stream ends when its token expires") {
  const Script script(good);
  ScriptedProvider made(script.config());
  const auto principal = made.ask("t").get();
  REQUIRE(principal);
  AccessClock clock = AccessClock::systemClocks();
  clock.unixSeconds = [at = (*principal)->expiresAt] { return at; };
  CredentialWatches watches(*made.authenticator, resource, {}, clock);
  CHECK(Stream(watches, *principal).why() == "the access token has expired");
}

TEST_CASE("a stream ends when its token is rejected, once the kept answer has ended") {
  const Script script(R"("t":{"subject":"ada","expires_in":3600,"cache_seconds":0})");
  ScriptedProvider made(script.config());
  const auto principal = made.ask("t").get();
  REQUIRE(principal);
  script.says("");
  CredentialWatches watches(*made.authenticator, resource, {1ms, 1h});
  CHECK(Stream(watches, *principal).why() == "the access token is no longer valid");
}

TEST_CASE("what the provider takes back is asked about at once") {
  const Script script(good);
  ScriptedProvider made(script.config());
  const auto principal = made.ask("t").get();
  REQUIRE(principal);
  CredentialWatches watches(*made.authenticator, resource);
  Stream stream(watches, *principal);
  script.says("");
  made.authenticator->clear();
  CHECK(stream.why() == "the access token is no longer valid");
}

TEST_CASE("a provider that is away is waited for, and not for ever") {
  const Script script(R"("t":{"subject":"ada","expires_in":3600,"cache_seconds":0})");
  ScriptedProvider made(script.config());
  const auto principal = made.ask("t").get();
  REQUIRE(principal);
  script.says(R"("t":{"do":"UNAVAILABLE"})");
  AccessClock clock = AccessClock::systemClocks();
  std::atomic<int> hours{0};
  clock.monotonic = [&] { return std::chrono::steady_clock::time_point(hours.load() * 1h); };
  CredentialWatches watches(*made.authenticator, resource, {1ms, 2h}, clock);
  std::promise<void> asked;
  std::atomic<bool> first{true};
  Stream stream(watches, *principal, [&](const Principal &) {
    if (first.exchange(false)) asked.set_value();
    return true;
  });
  while (made.validations() < 3) std::this_thread::yield();
  // The provider returns within the time, and the stream is still open.
  hours = 1;
  script.says(R"("t":{"subject":"ada","expires_in":3600,"cache_seconds":0})");
  REQUIRE(asked.get_future().wait_for(watchPatience) == std::future_status::ready);
  script.says(R"("t":{"do":"UNAVAILABLE"})");
  hours = 4;
  CHECK(stream.why() == "the authorization provider has been away for too long");
}

TEST_CASE(
    "a stream ends when its token allows something else, and a watch that has gone is silent") {
  const Script script(good);
  ScriptedProvider made(script.config());
  const auto principal = made.ask("t").get();
  REQUIRE(principal);
  CredentialWatches watches(*made.authenticator, resource);
  Stream closed(watches, *principal, [](const Principal &) { return false; });
  closed.watch = nullptr;
  Stream open(watches, *principal,
              [](const Principal &now) { return now.subject == "somebody else"; });
  made.authenticator->clear();
  CHECK(open.why() == "the access token allows something else than before");
  CHECK(closed.ended.get_future().wait_for(0s) == std::future_status::timeout);
}
