// SPDX-License-Identifier: Apache-2.0
// Tests the messages of replicas about credentials: one asks the provider for all, and all forget a
// revoked credential.
#include "access/authenticator.hpp"
#include "access/credential_watch.hpp"
#include "awaited.hpp"
#include "state/shared_state.hpp"
#include "state_in_memory.hpp"

#include <atomic>
#include <future>
#include <map>
#include <mutex>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

const std::string sharedResource = "https://skills.example/mcp";
constexpr std::int64_t hour = 3'600;

// The principals of the tokens, for all replicas. Any thread may use it.
struct Tokens {
  std::mutex mutex;
  std::map<std::string, AuthPrincipal> known;
  std::atomic<int> asked{0};
};

AuthPrincipal principal(std::uint32_t cacheSeconds = 300) {
  AuthPrincipal known;
  known.subject = "somebody";
  known.issuer = "test";
  known.scopes = {"skills:read", "skills:manage"};
  known.claims = R"({"secret":"claim"})";
  known.expiresAt = AccessClock::systemClocks().unixSeconds() + hour;
  known.cacheSeconds = cacheSeconds;
  return known;
}

class Provider final : public AuthProvider {
public:
  explicit Provider(std::shared_ptr<Tokens> tokens) : tokens_(std::move(tokens)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> listener) override { changed = std::move(listener); }
  void stop() override {}
  void check(CallOptions, ResultCallback<Done> answer) override { answer(Done{}); }
  void validate(CallOptions, AuthCredential credential,
                ResultCallback<AuthPrincipal> answer) override {
    ++asked;
    ++tokens_->asked;
    Result<AuthPrincipal> said{Fault::Unauthenticated, "unknown token"};
    {
      const std::scoped_lock lock(tokens_->mutex);
      const auto found = tokens_->known.find(std::string(credential.value.reveal()));
      if (found != tokens_->known.end()) said = found->second;
    }
    answer(std::move(said));
  }
  void describe(CallOptions, std::size_t, ResultCallback<std::string> answer) override {
    answer(std::string("{}"));
  }
  std::function<void()> changed;
  std::atomic<int> asked{0}; // calls of this replica's provider

private:
  const std::string name_ = "provider";
  const std::shared_ptr<Tokens> tokens_;
};

// A replica, with an authenticator and clocks of its own.
struct Replica {
  Replica(const std::shared_ptr<StateEngine> &engine, const std::shared_ptr<Tokens> &tokens,
          const std::string &mark = "the provider")
      : provider(std::make_shared<Provider>(tokens)) {
    SharedStateSettings settings;
    settings.secret = Secret(std::string(32, 's'));
    settings.heartbeat = 1h; // only answers enter the engine
    state =
        std::make_shared<SharedState>(std::make_shared<StateInMemory>(engine), std::move(settings));
    AccessClock clock = AccessClock::systemClocks();
    clock.monotonic = [this] { return std::chrono::steady_clock::time_point(passed.load()); };
    authenticator.emplace(provider, AuthenticatorRules{}, clock, AuthenticatorSharing{state, mark});
  }
  ~Replica() { state->stop(); }
  Replica(const Replica &) = delete;
  Replica &operator=(const Replica &) = delete;

  // Asks for the token; the provider and the engine answer at once.
  Result<PrincipalPointer> ask(std::string_view token) {
    Result<PrincipalPointer> said{Fault::Internal, "no answer"};
    authenticator->authenticate({"bearer", token, sharedResource, "192.0.2.1:1"}, {},
                                [&](Result<PrincipalPointer> answer) { said = std::move(answer); });
    return said;
  }
  // Pushes to `forgotten` when the authenticator forgets from now on; true: it forgets everything.
  void hear(Awaited<bool> &forgotten) {
    authenticator->onCleared([&forgotten](const auto *one) { forgotten.push(one == nullptr); });
  }

  std::shared_ptr<Provider> provider;
  std::shared_ptr<SharedState> state;
  std::atomic<std::chrono::seconds> passed{1'000s};
  std::optional<Authenticator> authenticator;
};

struct Replicas {
  Replicas() {
    tokens->known["t"] = principal();
    engine->values.erase("skillhost:heartbeat"); // the mark of the start
  }
  void refuse(const std::string &token) const {
    const std::scoped_lock lock(tokens->mutex);
    tokens->known.erase(token);
  }
  std::shared_ptr<StateEngine> engine = std::make_shared<StateEngine>();
  std::shared_ptr<Tokens> tokens = std::make_shared<Tokens>();
  Replica a{engine, tokens}, b{engine, tokens};
};

} // namespace

TEST_CASE("one replica asks the provider for all, and a known token asks nobody") {
  Replicas of;
  const auto first = of.a.ask("t");
  REQUIRE(first);
  const auto second = of.b.ask("t");
  REQUIRE(second);
  CHECK(of.tokens->asked == 1);
  CHECK((*second)->subject == "somebody");
  CHECK((*second)->issuer == "test");
  CHECK((*second)->scopes == (*first)->scopes);
  CHECK((*second)->expiresAt == (*first)->expiresAt);
  CHECK((*second)->claims.empty());
  const std::size_t operations = of.engine->operations;
  CHECK(of.b.ask("t"));
  CHECK(of.a.ask("t"));
  CHECK(of.engine->operations == operations);
}

TEST_CASE("neither a token nor whom it names can be read at the engine, nor what it claims") {
  Replicas of;
  of.tokens->known["secret-token"] = principal();
  REQUIRE(of.a.ask("secret-token"));
  REQUIRE(!of.engine->values.empty());
  for (const auto &[key, value] : of.engine->values) {
    CHECK(key.find("secret-token") == std::string::npos);
    CHECK(key.find("somebody") == std::string::npos);
    CHECK(value.bytes.find("secret-token") == std::string::npos);
    CHECK(value.bytes.find("somebody") == std::string::npos);
    CHECK(value.bytes.find("claim") == std::string::npos);
  }
}

TEST_CASE("what may not be kept is not shared, nor is a no") {
  Replicas of;
  of.tokens->known["once"] = principal(0);
  CHECK(of.a.ask("once"));
  CHECK(of.b.ask("once"));
  CHECK(of.tokens->asked == 2);
  CHECK(!of.a.ask("bad"));
  CHECK(!of.b.ask("bad"));
  CHECK(of.tokens->asked == 4);
  CHECK(of.engine->values.empty());
}

TEST_CASE("a shared answer lives no longer than the first one") {
  Replicas of;
  of.tokens->known["brief"] = principal(20);
  CHECK(of.a.ask("brief"));
  for (const auto &[key, value] : of.engine->values) {
    CHECK(value.until <= of.engine->now() + 20s);
    CHECK(value.until > of.engine->now() + 10s);
  }
  CHECK(of.b.ask("brief"));
  CHECK(of.tokens->asked == 1);
  of.b.passed.store(1'021s);
  of.engine->turned = 21s;
  CHECK(of.b.ask("brief"));
  CHECK(of.tokens->asked == 2);
}

TEST_CASE("answers of another provider, or of one that is configured otherwise, are none") {
  Replicas of;
  Replica other(of.engine, of.tokens, "the provider, configured otherwise");
  CHECK(of.a.ask("t"));
  CHECK(other.ask("t"));
  CHECK(of.tokens->asked == 2);
}

TEST_CASE("values that no replica has made, or that nobody understands, let nobody in") {
  Replicas of;
  CHECK(of.a.ask("t"));
  of.refuse("t");
  for (auto &[key, value] : of.engine->values) value.bytes.back() ^= 1;
  CHECK(!of.b.ask("t"));
  // The answer is sealed by one of the replicas, with a version of the future.
  Replicas others;
  CHECK(others.a.ask("t"));
  others.refuse("t");
  REQUIRE(others.engine->values.size() == 1);
  const std::string place = others.engine->values.begin()->first;
  others.a.state->put(place.substr(place.find(':') + 1), R"({"version":2})", {}, nullptr);
  CHECK(!others.b.ask("t"));
}

TEST_CASE("a token that is refused after it was accepted is forgotten by all at once") {
  Replicas of;
  Awaited<bool> forgotten;
  of.b.hear(forgotten);
  CHECK(of.a.ask("t"));
  CHECK(of.b.ask("t"));
  of.refuse("t");
  CHECK(of.b.ask("t")); // kept
  of.a.passed.store(1'400s);
  of.engine->turned = 400s;
  CHECK(!of.a.ask("t"));
  CHECK_FALSE(forgotten.next()); // that answer alone
  CHECK(!of.b.ask("t"));
  CHECK(of.b.provider->asked == 1);
  CHECK(of.engine->values.empty());
}

TEST_CASE("an answer that is still in the engine is not believed after the token was revoked") {
  Replicas of;
  Awaited<bool> forgotten;
  of.b.hear(forgotten);
  CHECK(of.a.ask("t"));
  const auto kept = of.engine->values;
  of.refuse("t");
  of.a.passed.store(1'400s); // the replica's own answer has expired, the engine's has not
  of.engine->values.clear(); // forces it to ask the provider
  CHECK(!of.a.ask("t"));
  CHECK_FALSE(forgotten.next());
  {
    const std::scoped_lock lock(of.engine->mutex);
    of.engine->values = kept; // as a slow replica would write it
  }
  CHECK(!of.b.ask("t"));
}

TEST_CASE("a stream at another replica ends when its token is refused at one") {
  Replicas of;
  const auto known = of.b.ask("t");
  REQUIRE(known);
  CHECK(of.a.ask("t"));
  CredentialWatches watches(*of.b.authenticator, sharedResource);
  Awaited<std::string> ended, other;
  const auto watch = watches.watch(
      {Secret("t"), "192.0.2.1:1"}, *known, [](const Principal &) { return true; },
      [&](std::string_view why) { ended.push(std::string(why)); });
  of.tokens->known["u"] = principal();
  const auto another = of.b.ask("u");
  REQUIRE(another);
  const auto second = watches.watch(
      {Secret("u"), "192.0.2.1:1"}, *another, [](const Principal &) { return true; },
      [&](std::string_view why) { other.push(std::string(why)); });
  of.refuse("t");
  of.a.passed.store(1'400s);
  {
    const std::scoped_lock lock(of.engine->mutex);
    of.engine->turned = 400s;
  }
  CHECK(!of.a.ask("t"));
  CHECK(ended.next() == "the access token is no longer valid");
  CHECK(other.waiting() == 0);
}

TEST_CASE("what a provider takes back at one replica is asked anew at all") {
  Replicas of;
  Awaited<bool> forgotten;
  CHECK(of.a.ask("t"));
  CHECK(of.b.ask("t"));
  of.b.hear(forgotten);
  of.refuse("t");
  of.a.provider->changed();
  CHECK(forgotten.next()); // everything
  CHECK(!of.b.ask("t"));   // the answer in the engine is older
  CHECK(of.b.provider->asked == 1);
}

TEST_CASE(
    "while the engine is away the provider is asked, and afterwards nothing old is believed") {
  Replicas of;
  CHECK(of.a.ask("t"));
  Awaited<bool> reachable, forgotten;
  of.a.state->onReachable([&](bool is) { reachable.push(is); });
  of.b.hear(forgotten);
  of.engine->setAway(true);
  CHECK(of.b.ask("t"));
  CHECK(of.b.provider->asked == 1);
  of.refuse("t");
  of.a.provider->changed(); // the others cannot receive it now
  CHECK_FALSE(reachable.next());
  of.engine->setAway(false);
  // Lost messages clear the cache, and so does an event that could not be sent earlier.
  CHECK(forgotten.next());
  CHECK(reachable.next());
  CHECK(forgotten.next());
  CHECK(!of.b.ask("t"));
}
