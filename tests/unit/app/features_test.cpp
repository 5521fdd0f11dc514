// SPDX-License-Identifier: Apache-2.0
// Tests the order in which features that observe the server are made, stopped and destroyed.
#include "features.hpp"

#include "catch2.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace skillhost::app;

namespace {

std::vector<std::string> diary;

class Noted final : public ObserverFeature {
public:
  explicit Noted(std::string name) : name_(std::move(name)) { diary.push_back("make " + name_); }
  ~Noted() override { diary.push_back("end " + name_); }
  std::vector<OwnResource> resources() override {
    return {{"skillhost://" + name_, {}, Permission::Manage, {}}};
  }
  std::function<void()> follow(const Configuration & /*next*/) override {
    if (name_ == "a") return {};
    return [this] { diary.push_back("follow " + name_); };
  }
  void stop() override { diary.push_back("stop " + name_); }
  void flush(std::chrono::milliseconds maxWait) override {
    diary.push_back("flush " + name_ + ' ' + std::to_string(maxWait.count()));
  }

private:
  const std::string name_;
};

template <char name> std::unique_ptr<ObserverFeature> makeNoted(const Configuration & /*from*/) {
  return std::make_unique<Noted>(std::string(1, name));
}
std::unique_ptr<ObserverFeature> makeNone(const Configuration & /*from*/) { return nullptr; }
std::unique_ptr<ObserverFeature> throwAway(const Configuration & /*from*/) {
  throw std::runtime_error("a setting is wrong");
}

using Diary = std::vector<std::string>;

} // namespace

TEST_CASE("a feature that hears the log is made first and ends last, wherever it is in the list") {
  const ObserverFeatureList list{{.name = "a", .make = makeNoted<'a'>},
                                 {.name = "none", .make = makeNone},
                                 {.name = "l", .make = makeNoted<'l'>, .receivesLog = true},
                                 {.name = "b", .make = makeNoted<'b'>}};
  diary.clear();
  {
    const Features features(list, Configuration());
    CHECK(diary == Diary{"make l", "make a", "make b"});
  }
  CHECK(diary == Diary{"make l", "make a", "make b", "end b", "end a", "end l"});
}

TEST_CASE("features have stopped, all of them, before one writes what waits") {
  const ObserverFeatureList list{{.name = "a", .make = makeNoted<'a'>},
                                 {.name = "b", .make = makeNoted<'b'>}};
  const Features features(list, Configuration());
  diary.clear();
  features.stop();
  CHECK(diary == Diary{"stop b", "stop a", "flush b 500", "flush a 500"});
}

TEST_CASE("features that can be made end in order if a later one cannot") {
  const ObserverFeatureList list{{.name = "a", .make = makeNoted<'a'>},
                                 {.name = "thrown", .make = throwAway},
                                 {.name = "l", .make = makeNoted<'l'>, .receivesLog = true}};
  diary.clear();
  CHECK_THROWS_AS(Features(list, Configuration()), std::runtime_error);
  CHECK(diary == Diary{"make l", "make a", "end a", "end l"});
}

TEST_CASE("those features follow another configuration that want to know it") {
  const ObserverFeatureList list{{.name = "a", .make = makeNoted<'a'>},
                                 {.name = "b", .make = makeNoted<'b'>},
                                 {.name = "c", .make = makeNoted<'c'>}};
  const Features features(list, Configuration());
  const auto follow = features.follow(Configuration());
  REQUIRE(follow);
  diary.clear();
  follow();
  CHECK(diary == Diary{"follow b", "follow c"});
  CHECK_FALSE(Features({list.front()}, Configuration()).follow(Configuration()));
  CHECK_FALSE(Features().follow(Configuration()));
}

TEST_CASE("a server has the resources of its features") {
  const ObserverFeatureList list{{.name = "a", .make = makeNoted<'a'>},
                                 {.name = "b", .make = makeNoted<'b'>}};
  const Features features(list, Configuration());
  REQUIRE(features.resources().size() == 2);
  CHECK(features.resources()[0].uri == "skillhost://a");
  CHECK(features.resources()[1].uri == "skillhost://b");
  CHECK_FALSE(features.observers().anyWants(~EventMask{0}));
}
