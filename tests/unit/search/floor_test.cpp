// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "search/index.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

// Finds the same whatever is asked.
class ScoringBackend final : public SearchBackend {
public:
  const std::string &name() const noexcept override { return name_; }
  bool calibrated() const noexcept override { return isCalibrated; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void held(CallOptions, Answer<std::optional<std::vector<HeldEntry>>> answer) override {
    answer(std::optional<std::vector<HeldEntry>>{});
  }
  void update(CallOptions, std::vector<SearchEntry>, std::vector<std::string>, std::string,
              Answer<Done> answer) override {
    answer(Done{});
  }
  void query(CallOptions, std::string, std::string, std::uint32_t,
             Answer<std::vector<SearchHit>> answer) override {
    std::vector<SearchHit> hits;
    for (const double score : {7.5, 0.9, 0.35, 0.3, 0.0})
      hits.push_back({std::string(1, static_cast<char>('a' + hits.size())), score, ""});
    answer(std::move(hits));
  }
  bool isCalibrated = false;

private:
  const std::string name_ = "scoring";
};

} // namespace

TEST_CASE("what is below the floor is no hit; without one set, only calibrated scores have one") {
  const auto backend = std::make_shared<ScoringBackend>();
  const auto floor = std::make_shared<SearchFloor>();
  Index index(std::chrono::minutes(2), {}, floor);
  index.attach(std::shared_ptr<SearchBackend>(backend));
  index.update({}, "g1");
  const auto found = [&index] {
    std::string ids;
    index.query({}, "text", {}, 10, [&ids](const Result<std::vector<SearchHit>> &hits) {
      REQUIRE(hits);
      for (const SearchHit &hit : *hits) ids += hit.id;
    });
    return ids;
  };
  CHECK(found() == "abcde");
  floor->set(0.9);
  CHECK(found() == "ab");
  backend->isCalibrated = true;
  floor->set(std::nullopt);
  CHECK(found() == "abc"); // SearchFloor::ofCalibrated itself is a hit
  floor->set(0);
  CHECK(found() == "abcde");
}
