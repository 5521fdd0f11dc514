// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "mcp/view_indexes.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace skillhost;

namespace {

// Answers on the calling thread; its hits carry its mark.
class Backend final : public SearchBackend {
public:
  Backend(std::string mark, const std::atomic<bool> &isHeld)
      : isBusy(isHeld), name_(std::move(mark)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override { stopped = true; }
  void held(CallOptions, ResultCallback<std::optional<std::vector<HeldEntry>>> answer) override {
    ++lists;
    if (!keepsIndex) return answer(std::optional<std::vector<HeldEntry>>{});
    answer(std::optional(std::vector<HeldEntry>{{"gone from " + name_, "1"}}));
  }
  void update(CallOptions, std::vector<SearchEntry>, std::vector<std::string> removed, std::string,
              ResultCallback<Done> answer) override {
    {
      const std::scoped_lock lock(mutex);
      if (!removed.empty()) gone = std::move(removed);
    }
    if (!isBusy) return answer(Done{});
    const std::scoped_lock lock(mutex);
    kept.push_back(std::move(answer));
  }
  void query(CallOptions, std::string, std::string, std::uint32_t,
             ResultCallback<std::vector<SearchHit>> answer) override {
    answer(std::vector<SearchHit>{{name_, 1, {}}});
  }
  std::atomic<bool> stopped{false};
  std::atomic<int> lists{0};
  bool keepsIndex = false;
  const std::atomic<bool> &isBusy; // nothing is committed yet
  std::mutex mutex;
  std::vector<ResultCallback<Done>> kept;
  std::vector<std::string> gone; // removed ids

private:
  const std::string name_;
};

Principal scoped(const std::string &scope) { return {"ada", "house", {scope}, {}, 0}; }

std::vector<VisibilityRule> rules(int count) {
  std::vector<VisibilityRule> all;
  for (int i = 0; i < count; ++i)
    all.push_back({{}, {"c" + std::to_string(i)}, {std::to_string(i)}, {}, {}});
  return all;
}

struct Fixture {
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  Visibility visibility;
  std::mutex mutex; // guards the following members
  std::vector<std::shared_ptr<Backend>> made;
  int failures = 0;
  bool keepsIndexes = false;
  std::atomic<bool> held{false};
  std::atomic<int> lacks{0}; // so many times there is no memory to describe the skills
  ViewIndexes views;

  explicit Fixture(int count, ViewIndexes::Capacity capacity = {})
      : visibility(rules(count)), views(
                                      library, std::chrono::minutes(1),
                                      [this](const std::shared_ptr<const Catalogue> &) {
                                        if (lacks > 0 && lacks-- > 0) throw std::bad_alloc();
                                        return SearchableEntries{};
                                      },
                                      capacity) {}
  ~Fixture() { views.stop(); }
  void begin() {
    views.setBackendFactory(
        [this](const std::string &mark) -> Result<std::shared_ptr<SearchBackend>> {
          const std::scoped_lock lock(mutex);
          if (failures > 0 && failures-- > 0) return {Fault::Unavailable, "not now"};
          made.push_back(std::make_shared<Backend>(mark, held));
          made.back()->keepsIndex = keepsIndexes;
          return std::shared_ptr<SearchBackend>(made.back());
        });
    views.setVisibility(visibility);
  }
  Visibility::Key key(const std::string &scope) const {
    const Principal who = scoped(scope);
    return visibility.keyOf(&who);
  }
  // Returns the mark of the backend that has answered, or the reason of the failure.
  std::string ask(const Visibility::Key &key) {
    const auto index = views.indexFor(key);
    std::promise<void> ready;
    index->whenCommitted({}, [&] { ready.set_value(); });
    ready.get_future().wait();
    std::promise<std::string> told;
    index->query({}, "anything", {}, 1, [&](const Result<std::vector<SearchHit>> &hits) {
      told.set_value(hits ? hits->front().id : hits.failure().message);
    });
    return told.get_future().get();
  }
};

} // namespace

TEST_CASE("each view has an index of its own, and equal ones share it") {
  Fixture f(3);
  f.begin();
  const std::string nobodys = f.ask(f.visibility.keyOf(nullptr));
  CHECK(nobodys == f.visibility.keyOf(nullptr).mark());
  CHECK(f.ask(f.key("none of these")) == nobodys);
  const std::string first = f.ask(f.key("0"));
  CHECK(first == f.key("0").mark());
  CHECK(first != nobodys);
  CHECK(f.views.indexFor(f.key("0")) == f.views.indexFor(f.key("0")));
  CHECK(f.views.indexFor(f.key("0")) != f.views.indexFor(f.key("1")));
  // Another process with the same rules has the same marks; other rules have other marks.
  CHECK(Visibility(rules(3)).keyOf(nullptr).mark() == nobodys);
  CHECK(Visibility(rules(2)).keyOf(nullptr).mark() != nobodys);
}

TEST_CASE("each view brings up to date what its own backend has kept") {
  Fixture f(2);
  f.keepsIndexes = true;
  f.begin();
  for (const char *const scope : {"none of these", "0", "1"}) f.ask(f.key(scope));
  f.views.stop();
  const std::scoped_lock lock(f.mutex);
  REQUIRE(f.made.size() == 3);
  for (const auto &backend : f.made) {
    CHECK(backend->lists == 1);
    CHECK(backend->gone == std::vector<std::string>{"gone from " + backend->name()});
  }
}

TEST_CASE("an index that could not be filled for want of memory is filled later") {
  Fixture f(2);
  f.lacks = 1;
  f.begin();
  CHECK(f.ask(f.key("0")) == f.key("0").mark());
  CHECK(f.ask(f.visibility.keyOf(nullptr)) == f.visibility.keyOf(nullptr).mark());
  CHECK(f.lacks == 0);
}

TEST_CASE("who hides nothing has no index of anybody") {
  Fixture f(0);
  f.begin();
  f.views.catalogueChanged();
  f.views.stop();
  CHECK(f.made.empty());
}

TEST_CASE("the index that was asked for longest ago makes room") {
  constexpr std::size_t usual = 8;
  Fixture f(usual + 2, {usual, 64, std::chrono::milliseconds(0)});
  f.begin();
  const auto nobodys = f.visibility.keyOf(nullptr);
  const auto kept = f.views.indexFor(nobodys);
  for (std::size_t i = 0; i < usual; ++i) {
    CHECK(f.ask(f.key(std::to_string(i))) == f.key(std::to_string(i)).mark());
    CHECK(f.views.indexFor(nobodys) == kept); // used in between
  }
  const auto before = f.views.indexFor(f.key("7"));
  CHECK(f.ask(f.key("0")) == f.key("0").mark()); // made again
  CHECK(f.views.indexFor(f.key("7")) == before);
  f.views.stop();
  for (const auto &backend : f.made) CHECK(backend->stopped);
}

TEST_CASE("who was asked for a moment ago makes no room") {
  Fixture f(6, {2, 4, std::chrono::hours(1)});
  f.begin();
  const auto nobodys = f.views.indexFor(f.visibility.keyOf(nullptr));
  std::vector<ViewIndexes::IndexPointer> all;
  for (const char *scope : {"0", "1", "2"}) {
    CHECK(f.ask(f.key(scope)) == f.key(scope).mark());
    all.push_back(f.views.indexFor(f.key(scope)));
  }
  CHECK(f.ask(f.key("3")) == "too many groups of callers see different skills: try again");
  CHECK(f.views.find(f.key("3")) == nullptr);
  CHECK(f.views.find(f.visibility.keyOf(nullptr)) == nobodys);
  for (const char *scope : {"0", "1", "2"})
    CHECK(f.views.indexFor(f.key(scope)) == all[static_cast<std::size_t>(scope[0] - '0')]);
  for (const auto &backend : f.made) CHECK(!backend->stopped);
}

TEST_CASE("an index that is filled for the first time makes no room, and later it does") {
  Fixture f(6, {2, 64, std::chrono::milliseconds(0)});
  f.held = true;
  f.begin();
  std::vector<std::future<void>> waiting;
  for (const char *scope : {"0", "1", "2", "3"}) {
    auto ready = std::make_shared<std::promise<void>>();
    waiting.push_back(ready->get_future());
    f.views.indexFor(f.key(scope))->whenCommitted({}, [ready] { ready->set_value(); });
  }
  const auto all = {f.visibility.keyOf(nullptr), f.key("0"), f.key("1"), f.key("2"), f.key("3")};
  for (const auto &key : all) CHECK(f.views.find(key) != nullptr);
  f.held = false;
  // Each index gets its first entries at some time.
  for (std::size_t answered = 0; answered < all.size();) {
    std::vector<std::shared_ptr<Backend>> made;
    {
      const std::scoped_lock lock(f.mutex);
      made = f.made;
    }
    answered = 0;
    for (const auto &backend : made) {
      std::vector<ResultCallback<Done>> kept;
      {
        const std::scoped_lock lock(backend->mutex);
        kept.swap(backend->kept);
      }
      for (auto &answer : kept) answer(Done{});
    }
    for (const auto &key : all) {
      const auto index = f.views.find(key);
      answered += !index || index->progress().committed ? 1 : 0;
    }
    std::this_thread::yield();
  }
  for (auto &one : waiting) one.wait();
  // Without users only the usual number of indexes stays.
  const auto left = [&] {
    return std::count_if(all.begin(), all.end(),
                         [&](const auto &key) { return f.views.find(key) != nullptr; });
  };
  while (left() > 2) std::this_thread::yield();
  CHECK(left() == 2);
}

TEST_CASE("looking an index up makes none and keeps none") {
  Fixture f(6, {2, 64, std::chrono::milliseconds(0)});
  f.begin();
  CHECK(f.views.find(f.key("0")) == nullptr);
  CHECK(f.ask(f.key("0")) == f.key("0").mark());
  const auto first = f.views.find(f.key("0"));
  CHECK(first != nullptr);
  CHECK(f.ask(f.key("1")) == f.key("1").mark());
  CHECK(f.views.find(f.key("0")) == first); // find() does not make it the most recently used
  CHECK(f.ask(f.key("2")) == f.key("2").mark());
  CHECK(f.views.find(f.key("0")) == nullptr);
}

TEST_CASE("who waits for an index that ends waits no longer") {
  Fixture f(1);
  f.held = true;
  f.begin();
  const auto index = f.views.indexFor(f.visibility.keyOf(nullptr));
  int told = 0;
  index->whenCommitted({}, [&] { ++told; });
  CancelToken gone;
  index->whenCommitted(gone, [&] { told += 100; });
  gone.cancel();
  f.views.stop();
  CHECK(told == 1);
  index->whenCommitted({}, [&] { ++told; });
  CHECK(told == 2);
}

TEST_CASE("an index that could not be made is tried again by who asks next") {
  Fixture f(1);
  f.failures = 1;
  f.begin();
  const auto nobodys = f.visibility.keyOf(nullptr);
  std::string told = f.ask(nobodys);
  CHECK((told == "not now" || told == nobodys.mark()));
  while (told != nobodys.mark()) told = f.ask(nobodys); // the failed one may be there for a moment
  CHECK(f.made.size() == 1);
}

TEST_CASE("indexes of rules that hold no longer end") {
  Fixture f(1);
  f.begin();
  const auto old = f.visibility.keyOf(nullptr);
  CHECK(f.ask(old) == old.mark());
  f.visibility.replace(Visibility::prepare(rules(2), {}), 0);
  f.views.catalogueChanged();
  const auto now = f.visibility.keyOf(nullptr);
  CHECK(f.ask(now) == now.mark());
  CHECK(now.mark() != old.mark());
  f.views.stop();
  for (const auto &backend : f.made) CHECK(backend->stopped);
  CHECK(f.made.size() == 2);
}
