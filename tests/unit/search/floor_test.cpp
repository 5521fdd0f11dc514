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

// Finds the same entries for every query.
class ScoringBackend final : public SearchBackend {
public:
  const std::string &name() const noexcept override { return name_; }
  bool hasCalibratedScores() const noexcept override { return isCalibrated; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void held(CallOptions, ResultCallback<std::optional<std::vector<HeldEntry>>> answer) override {
    std::vector<HeldEntry> kept;
    for (const std::string &id : ids) kept.push_back({id, "1"});
    answer(std::optional(std::move(kept)));
  }
  void update(CallOptions, std::vector<SearchEntry>, std::vector<std::string>, std::string,
              ResultCallback<Done> answer) override {
    answer(Done{});
  }
  void query(CallOptions, std::string, std::string, std::uint32_t,
             ResultCallback<std::vector<SearchHit>> answer) override {
    std::vector<SearchHit> hits;
    for (const double score : scores)
      hits.push_back({std::string(1, static_cast<char>('a' + hits.size())), score, ""});
    answer(std::move(hits));
  }
  bool isCalibrated = false;
  std::vector<std::string> ids; // ids of the kept entries
  std::vector<double> scores{7.5, 0.9, 0.35, 0.3, 0.0};

private:
  const std::string name_ = "scoring";
};

} // namespace

namespace {

// An index of so many entries, and a query of it.
class Asked {
public:
  explicit Asked(std::size_t entries) {
    for (std::size_t entry = 0; entry < entries; ++entry)
      backend->ids.push_back("s/" + std::to_string(entry));
    index.attach(std::shared_ptr<SearchBackend>(backend));
    SearchableEntries all;
    for (const std::string &id : backend->ids) all.keys.push_back({id, "1"});
    index.update(std::move(all), "g1");
    REQUIRE(index.size() == entries);
  }
  std::string found() {
    std::string ids;
    index.query({}, "text", {}, 10, [&ids](const Result<std::vector<SearchHit>> &hits) {
      REQUIRE(hits);
      for (const SearchHit &hit : *hits) ids += hit.id;
    });
    return ids;
  }

  const std::shared_ptr<ScoringBackend> backend = std::make_shared<ScoringBackend>();
  const std::shared_ptr<SearchFloor> floor = std::make_shared<SearchFloor>();
  Index index{std::chrono::minutes(2), {}, floor};
};

} // namespace

TEST_CASE("what is below the floor is no hit; without one set, only calibrated scores have one") {
  Asked asked(SearchFloor::fewEntries);
  CHECK(asked.found() == "abcde");
  asked.floor->set(0.9);
  CHECK(asked.found() == "ab");
  asked.backend->isCalibrated = true;
  asked.floor->set(std::nullopt);
  CHECK(asked.found() == "abc"); // a score equal to SearchFloor::ofCalibrated is a hit
  asked.floor->set(0);
  CHECK(asked.found() == "abcde");
}

TEST_CASE(
    "if no hit reaches the floor, the best three are returned unless they are clearly nothing") {
  Asked asked(SearchFloor::fewEntries);
  asked.backend->isCalibrated = true;
  asked.backend->scores = {0.34, 0.2, 0.1, 0.09};
  CHECK(asked.found() == "abc");
  asked.backend->scores = {0.34, 0.2, 0.04};
  CHECK(asked.found() == "ab");
  asked.backend->scores = {SearchFloor::weakOfCalibrated, 0.04};
  CHECK(asked.found() == "a");
  asked.backend->scores = {0.04, 0.03};
  CHECK(asked.found().empty());
  asked.backend->scores = {0.34, 0.2};
  asked.floor->set(0.35); // a score that is set holds without exception
  CHECK(asked.found().empty());
}

TEST_CASE("which hits fit well does not depend on how many entries there are") {
  for (const std::size_t entries : {std::size_t{1}, SearchFloor::fewEntries}) {
    Asked asked(entries);
    CHECK(asked.index.fittingScore() < 0); // scores that are not calibrated have no meaning
    asked.backend->isCalibrated = true;
    CHECK(asked.index.fittingScore() == SearchFloor::fittingOfCalibrated);
    asked.floor->set(0.4);
    CHECK(asked.index.fittingScore() == 0.4);
    asked.floor->set(0); // leaves nothing out, and sets no fitting score
    CHECK(asked.index.fittingScore() == SearchFloor::fittingOfCalibrated);
  }
  const Index without;
  CHECK(without.fittingScore() < 0);
  // A hit may be good enough to be found and still be marked as a bad fit.
  CHECK(SearchFloor::fittingOfCalibrated > SearchFloor::ofCalibrated);
}

TEST_CASE("among few entries there is no floor unless one is set") {
  Asked asked(SearchFloor::fewEntries - 1);
  asked.backend->isCalibrated = true;
  CHECK(asked.found() == "abcde");
  asked.floor->set(0.35);
  CHECK(asked.found() == "abc");
}
