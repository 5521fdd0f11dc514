// SPDX-License-Identifier: Apache-2.0
// Tests a search plugin's list of entries from its earlier life, right and wrong.
#include "catch2.hpp"
#include "plugin/registry.hpp"

#include "temporary_folder.hpp"

#include <future>
#include <optional>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

using Held = std::optional<std::vector<HeldEntry>>;

template <class T, class Ask> Result<T> answerTo(Ask ask) {
  const auto answered = std::make_shared<std::promise<Result<T>>>();
  ask([answered](Result<T> result) { answered->set_value(std::move(result)); });
  return answered->get_future().get();
}

// A search plugin on a cache folder, as a host has it after a start.
struct Searching {
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  std::shared_ptr<SearchBackend> backend;

  explicit Searching(const TemporaryFolder &cache, const std::string &held = "good") {
    InstanceConfiguration wanted{"search", "keeping", R"({"held":")" + held + R"("})",
                                 cache.path()};
    auto made = plugins.makeSearch(wanted);
    REQUIRE(made);
    backend = *std::move(made);
  }
  ~Searching() { backend->stop(); }
  Result<Held> held() const {
    return answerTo<Held>([&](auto answer) { backend->held({}, answer); });
  }
  void fill() const {
    REQUIRE(answerTo<Done>([&](auto answer) {
      backend->update({}, {{"s/b", "2", "b", "", "", "{}"}, {"s/a", "1", "a", "", "", "{}"}}, {},
                      "g1", answer);
    }));
  }
};

} // namespace

TEST_CASE("what a search plugin has kept is heard of by the next start") {
  const TemporaryFolder cache;
  {
    const Searching first(cache);
    CHECK_FALSE(first.held()->has_value()); // no generation: new
    first.fill();
  }
  const Searching second(cache);
  const Result<Held> held = second.held();
  REQUIRE(held);
  REQUIRE(held->has_value());
  const std::vector<HeldEntry> &entries = **held;
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].id == "s/a");
  CHECK(entries[0].revision == "1");
  CHECK(entries[1].revision == "2");
}

TEST_CASE("a list that breaks the rules is void, and a plugin need not have one") {
  const TemporaryFolder cache;
  Searching(cache).fill();
  CHECK(Searching(cache, "huge").held().failure().fault == Fault::TooLarge);
  CHECK(Searching(cache, "deaf").held().failure().fault == Fault::TooLarge);
  for (const char *const wrong : {"twice", "no_id", "long"}) {
    const Result<Held> held = Searching(cache, wrong).held();
    REQUIRE_FALSE(held);
    CHECK(held.failure().message.find("search: held: an id is empty") != std::string::npos);
  }
  CHECK(Searching(cache, "failing").held().failure().fault == Fault::Corrupt);
  CHECK_FALSE(Searching(cache, "unsupported").held()->has_value());
}
