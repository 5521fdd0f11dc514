// SPDX-License-Identifier: Apache-2.0
// Tests one limit across replicas that inform each other; each counts alone while the engine is
// away.
#include "catch2.hpp"
#include "runtime/shared_rates.hpp"
#include "state/shared_state.hpp"
#include "state_in_memory.hpp"

#include <atomic>
#include <string>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

std::atomic<std::int64_t> passed{1'000'000}; // milliseconds
std::chrono::steady_clock::time_point now() {
  return std::chrono::steady_clock::time_point(std::chrono::milliseconds(passed.load()));
}

struct Replica {
  Replica(const std::shared_ptr<StateEngine> &engine, RateRules rules)
      : rates(std::make_shared<RateLimiter>(rules, &now)) {
    SharedStateSettings settings;
    settings.secret = Secret(std::string(32, 's'));
    state =
        std::make_shared<SharedState>(std::make_shared<StateInMemory>(engine), std::move(settings));
    rates->count();
  }
  // Returns how many of `times` requests are accepted.
  int ask(int times, std::string_view who = "ada") const {
    int let = 0;
    for (int i = 0; i < times; ++i) let += rates->take(who) ? 0 : 1;
    return let;
  }
  void exchange() const { exchangeRates(rates, *state); }

  std::shared_ptr<RateLimiter> rates;
  std::shared_ptr<SharedState> state;
};

// Returns the number of requests that replicas accept when one client asks all of them as often as
// it can.
int flooded(const std::vector<Replica> &replicas, std::chrono::milliseconds span) {
  int let = 0;
  for (auto left = span; left > 0ms; left -= ratesInterval) {
    for (int part = 0; part < 20; ++part) {
      for (const Replica &one : replicas) let += one.ask(3);
      passed += ratesInterval.count() / 20;
    }
    for (const Replica &one : replicas) one.exchange();
  }
  return let;
}

} // namespace

TEST_CASE("a client that floods three replicas gets the rate of one") {
  const RateRules rules{10, 20, 100};
  const auto engine = std::make_shared<StateEngine>();
  const std::vector<Replica> three{{engine, rules}, {engine, rules}, {engine, rules}};
  const int atFirst = flooded(three, ratesInterval);
  CHECK(atFirst >= 60); // before the replicas know of one another: a burst of each
  CHECK(atFirst <= 66);
  flooded(three, 20s);
  const int later = flooded(three, 60s);
  CHECK(later >= 540);
  CHECK(later <= 630); // 600, and the requests that each accepts in one interval
}

TEST_CASE("a burst of one is one over replicas too, in the long run") {
  const RateRules rules{5, 1, 100};
  const auto engine = std::make_shared<StateEngine>();
  const std::vector<Replica> three{{engine, rules}, {engine, rules}, {engine, rules}};
  flooded(three, 20s);
  const int later = flooded(three, 60s);
  CHECK(later >= 240);
  CHECK(later <= 330);
}

TEST_CASE("who keeps to the limit at one replica is not refused at another one") {
  const RateRules rules{10, 20, 100};
  const auto engine = std::make_shared<StateEngine>();
  const Replica a(engine, rules), b(engine, rules);
  const auto steadily = [&](const Replica &at, int seconds) {
    int refused = 0;
    for (int tenth = 0; tenth < 10 * seconds; ++tenth) {
      refused += 1 - at.ask(1);
      passed += 100;
      if (tenth % 2 == 0) a.exchange();
      if (tenth % 2 == 0) b.exchange();
    }
    return refused;
  };
  CHECK(steadily(a, 60) == 0);
  CHECK(steadily(b, 60) == 0); // it does not know the time of those requests
  CHECK(steadily(a, 30) == 0);
  CHECK(steadily(b, 5) == 0);
  passed += 600'000; // a quiet time, after which the count began again
  engine->turned += 10min;
  CHECK(a.ask(20) == 20);
  a.exchange();
  passed += 2'000;
  CHECK(b.ask(20) >= 10);
}

TEST_CASE("one client's requests are no other's, and the engine is asked for the active alone") {
  const RateRules rules{1, 2, 1'000};
  const auto engine = std::make_shared<StateEngine>();
  const Replica a(engine, rules), b(engine, rules);
  CHECK(a.ask(5, "client") == 2);
  a.exchange();
  CHECK(b.ask(2, "bob") == 2);
  b.exchange();
  CHECK(engine->operations == 2);
  a.exchange();
  b.exchange();
  CHECK(engine->operations == 2);
  for (int i = 0; i < 600; ++i) a.ask(1, "client " + std::to_string(i));
  a.exchange();
  CHECK(engine->operations == 2 + 256);
  a.exchange();
  a.exchange();
  CHECK(engine->operations == 2 + 600);
  for (const auto &[key, counter] : engine->counters)
    CHECK(key.find("client") == std::string::npos);
}

TEST_CASE("while the engine is away each replica has its own limit, and nothing is counted twice") {
  const RateRules rules{10, 10, 100};
  const auto engine = std::make_shared<StateEngine>();
  const Replica a(engine, rules), b(engine, rules);
  engine->away = true;
  CHECK(a.ask(15) == 10);
  a.exchange();
  CHECK(b.ask(15) == 10);
  b.exchange();
  passed += 500;
  CHECK(a.ask(10) == 5);
  engine->away = false;
  a.exchange();
  passed += 1'000;
  CHECK(a.ask(15) == 10);
}

TEST_CASE("whatever the engine says, nobody waits for longer than the longest debt") {
  const RateRules rules{10, 20, 100};
  const auto engine = std::make_shared<StateEngine>();
  const Replica a(engine, rules);
  CHECK(a.ask(1) == 1);
  a.exchange();
  for (const std::int64_t sum : {INT64_MAX - 10, std::int64_t{-5}, std::int64_t{1} << 60}) {
    for (auto &[key, counter] : engine->counters) counter.first = sum;
    passed += 200;
    a.ask(1);
    a.exchange();
    const auto wait = a.rates->take("ada");
    if (wait) CHECK(*wait <= RateLimiter::maxDebt + 100ms);
    passed += 6'000;
    CHECK(a.ask(1) == 1);
    a.exchange();
  }
}
