// SPDX-License-Identifier: Apache-2.0
// An auth provider in this process that accepts, refuses, does both, or answers nonsense.
#include "catch2.hpp"
#include "plugin/registry.hpp"

#include <future>
#include <string>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

struct MadeProvider {
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  std::shared_ptr<AuthProvider> provider;

  explicit MadeProvider(const std::string &config) {
    auto made = plugins.makeAuth({"auth", "scripted_auth", config, {}});
    REQUIRE(made);
    provider = *std::move(made);
  }
  Result<AuthPrincipal> validate(const std::string &token, std::chrono::milliseconds span = 10s) {
    std::promise<Result<AuthPrincipal>> answered;
    provider->validate(
        {Deadline::after(span), {}, nullptr},
        {"bearer", Secret(token), "https://skills.example/mcp", "127.0.0.1:1"},
        [&](Result<AuthPrincipal> result) { answered.set_value(std::move(result)); });
    return answered.get_future().get();
  }
  Fault refused(const std::string &token, std::chrono::milliseconds span = 10s) {
    const Result<AuthPrincipal> result = validate(token, span);
    REQUIRE(!result);
    return result.failure().fault;
  }
  Status check() {
    std::promise<Status> answered;
    provider->check({Deadline::after(10s), {}, nullptr},
                    [&](Status result) { answered.set_value(std::move(result)); });
    return answered.get_future().get();
  }
  Result<std::string> describe(std::size_t limit) {
    std::promise<Result<std::string>> answered;
    provider->describe({Deadline::after(10s), {}, nullptr}, limit,
                       [&](Result<std::string> result) { answered.set_value(std::move(result)); });
    return answered.get_future().get();
  }
  PluginState state() {
    for (const PluginDescription &one : plugins.describe(false))
      if (one.instance == "auth") return one.state;
    return PluginState::Found;
  }
};

} // namespace

TEST_CASE("a principal comes with all that the provider says of it") {
  MadeProvider made(R"({"tokens":{"good":{"subject":"ada","issuer":"house","scopes":["a","b:c"],
                "claims":"{\"x\":1}","expires_in":1000,"cache_seconds":60}}})");
  const Result<AuthPrincipal> principal = made.validate("good");
  REQUIRE(principal);
  CHECK(principal->subject == "ada");
  CHECK(principal->issuer == "house");
  CHECK(principal->scopes == std::vector<std::string>{"a", "b:c"});
  CHECK(principal->claims == R"({"x":1})");
  CHECK(principal->expiresAt > 1'000'000'000);
  CHECK(principal->cacheSeconds == 60);
}

TEST_CASE("only a clear no is the fault of the credential, and none of the provider's") {
  MadeProvider made(R"({"tokens":{"down":{"do":"UNAVAILABLE"},"failed":{"do":"FAILED"},
                "invalid":{"do":"INVALID"},"throws":{"do":"throw"},"large":{"do":"TOO_LARGE"}}})");
  CHECK(made.refused("unknown") == Fault::Unauthenticated);
  CHECK(made.state() == PluginState::Loaded);
  for (const char *token : {"down", "failed", "invalid", "throws", "large"}) {
    INFO(token);
    CHECK(made.refused(token) == Fault::Unavailable);
  }
  CHECK(made.state() == PluginState::Degraded);
}

TEST_CASE("a yes counts with exactly one principal, and only when that is in order") {
  MadeProvider made(R"({"tokens":{"none":{"accepts":0},"two":{"accepts":2},"nobody":{"subject":""},
                "long":{"subject":"abcdefghij","repeat":103},"scope":{"scopes":["good","a b"]},
                "quote":{"scopes":["a\"b"]},"empty":{"scopes":[""]},"claims":{"claims":"[1]"},
                "broken":{"claims":"{"},"control":{"subject":"a\nb"},
                "fits":{"subject":"abcdefghij","repeat":102}}})");
  for (const char *token : {"none", "two", "nobody", "long", "scope", "quote", "empty", "claims",
                            "broken", "control"}) {
    INFO(token);
    CHECK(made.refused(token) == Fault::Unavailable);
  }
  CHECK(made.validate("fits"));
}

TEST_CASE("why a principal was refused is said, even if the provider returns the refusal") {
  MadeProvider made(R"({"tokens":{"nobody":{"subject":"","returns_refusal":true},
                "two":{"accepts":2,"returns_refusal":true},"claims":{"claims":"{"}}})");
  const auto reason = [&](const std::string &token) {
    const Result<AuthPrincipal> result = made.validate(token);
    REQUIRE(!result);
    CHECK(result.failure().fault == Fault::Unavailable);
    return result.failure().message;
  };
  CHECK(reason("nobody") == "auth: validate: named a principal without a subject");
  CHECK(reason("two").find("named more than one principal") != std::string::npos);
  CHECK(reason("claims").find("gave claims that are no JSON object") != std::string::npos);
}

TEST_CASE("a provider that does not answer in time has refused") {
  MadeProvider made(R"({"tokens":{"slow":{"do":"await_cancel"}}})");
  CHECK(made.refused("slow", 50ms) == Fault::Unavailable);
}

TEST_CASE("a credential that the provider quotes is masked") {
  MadeProvider made(R"({"tokens":{"canary-4711":{"do":"quote"}}})");
  const Result<AuthPrincipal> result = made.validate("canary-4711");
  REQUIRE(!result);
  CHECK(result.failure().message.find("canary") == std::string::npos);
  CHECK(result.failure().message.find("***masked***") != std::string::npos);
}

TEST_CASE("check and describe say what the provider says") {
  MadeProvider good("{}");
  CHECK(good.check());
  const Result<std::string> text = good.describe(1000);
  REQUIRE(text);
  CHECK(text->find("issuer.example") != std::string::npos);
  const Result<std::string> cut = good.describe(10);
  REQUIRE(!cut);
  CHECK(cut.failure().fault == Fault::TooLarge);

  MadeProvider bad(R"({"check":{"do":"UNAVAILABLE","message":"the issuer is away"}})");
  const Status checked = bad.check();
  REQUIRE(!checked);
  CHECK(checked.failure().message.find("the issuer is away") != std::string::npos);
}

TEST_CASE("a plugin of another kind is no auth provider") {
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  CHECK(!plugins.makeAuth({"auth", "scripted", "{}", {}}));
}
