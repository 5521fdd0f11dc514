// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/await.hpp"

#include <functional>
#include <memory>
#include <string>
#include <thread>

using namespace skillhost;
using namespace std::chrono_literals;

TEST_CASE("an answer comes before the question returns, or on another thread") {
  CHECK(awaitAnswer<int>([](const auto &answer) { answer(7); }) == 7);
  std::thread other;
  const auto text = awaitAnswer<std::unique_ptr<std::string>>(
      [&](const std::function<void(std::unique_ptr<std::string>)> &answer) {
        other = std::thread([answer] { answer(std::make_unique<std::string>("there")); });
      });
  CHECK(*text == "there");
  other.join();
}

TEST_CASE("an answer that is dropped ends the wait") {
  CHECK_THROWS_AS(awaitAnswer<int>([](const auto &) {}), std::future_error);
  awaitDone([](const auto &) {});
}

TEST_CASE("done ends the wait whatever it is called with, and a span ends it too") {
  int asked = 0;
  awaitDone([&](const auto &done) { done(++asked); });
  CHECK(asked == 1);
  std::function<void()> later;
  CHECK_FALSE(awaitDoneFor(1ms, [&](const std::function<void()> &done) { later = done; }));
  later(); // the promise outlives the wait
  CHECK(awaitDoneFor(30s, [](const std::function<void()> &done) { done(); }));
}
