// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/bind_weak.hpp"

#include <functional>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

struct Heard : std::enable_shared_from_this<Heard> {
  std::vector<std::string> all;

  void hear(const std::string &one) { all.push_back(one); }
  void take(int number, std::unique_ptr<std::string> one) {
    all.push_back(std::to_string(number) + *one);
  }
  void end(std::function<void()> &last) { last = nullptr; }
  std::function<void(const std::string &)> own() { return bindWeak(this, &Heard::hear); }
};

} // namespace

TEST_CASE("a bound member function is called while its object is shared, and then no more") {
  auto heard = std::make_shared<Heard>();
  const std::weak_ptr<Heard> weak = heard;
  const std::function<void(const std::string &)> hear = heard->own();
  const std::function<void(std::unique_ptr<std::string>)> take = bindWeak(heard, &Heard::take, 3);
  hear("one");
  take(std::make_unique<std::string>("two"));
  CHECK(heard->all == std::vector<std::string>{"one", "3two"});
  heard.reset();
  CHECK(weak.expired()); // neither callable keeps it alive
  hear("three");
  take(nullptr);
}

TEST_CASE("an object that nobody shares yet is not bound, since it would never be called") {
  Heard heard;
  CHECK_THROWS_AS(heard.own(), std::bad_weak_ptr);
}

TEST_CASE("an object lives until its member function returns") {
  auto heard = std::make_shared<Heard>();
  const std::weak_ptr<Heard> weak = heard;
  std::function<void()> last = [kept = heard] {};
  const auto end = bindWeak(heard, &Heard::end);
  heard.reset();
  end(last);
  CHECK(weak.expired());
}
