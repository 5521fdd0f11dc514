// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "protocol/view_indexes.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

// Answers on the calling thread; tells whose it is.
class Backend final : public SearchBackend {
public:
  explicit Backend(std::string mark) : name_(std::move(mark)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override { stopped = true; }
  void update(CallOptions, std::vector<SearchEntry>, std::vector<std::string>, std::string,
              Answer<Done> answer) override {
    answer(Done{});
  }
  void query(CallOptions, std::string, std::string, std::uint32_t,
             Answer<std::vector<SearchHit>> answer) override {
    answer(std::vector<SearchHit>{{name_, 1, {}}});
  }
  std::atomic<bool> stopped{false};

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
  std::mutex mutex; // guards what follows
  std::vector<std::shared_ptr<Backend>> made;
  int failures = 0;
  ViewIndexes views{library, std::chrono::minutes(1),
                    [](const Catalogue &) { return std::vector<Searchable>{}; }};

  explicit Fixture(int count) : visibility(rules(count)) {}
  ~Fixture() { views.stop(); }
  void begin() {
    views.makeWith([this](const std::string &mark) -> Result<std::shared_ptr<SearchBackend>> {
      const std::scoped_lock lock(mutex);
      if (failures > 0 && failures-- > 0) return {Fault::Unavailable, "not now"};
      made.push_back(std::make_shared<Backend>(mark));
      return std::shared_ptr<SearchBackend>(made.back());
    });
    views.guardWith(visibility);
  }
  Visibility::Key key(const std::string &scope) const {
    const Principal who = scoped(scope);
    return visibility.keyOf(&who);
  }
  // The mark of the backend that has answered, or why there is no answer.
  std::string ask(const Visibility::Key &key) {
    const auto index = views.of(key);
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
  CHECK(f.views.of(f.key("0")) == f.views.of(f.key("0")));
  CHECK(f.views.of(f.key("0")) != f.views.of(f.key("1")));
  // The same rules of another process have the same marks, others have others.
  CHECK(Visibility(rules(3)).keyOf(nullptr).mark() == nobodys);
  CHECK(Visibility(rules(2)).keyOf(nullptr).mark() != nobodys);
}

TEST_CASE("who hides nothing has no index of anybody") {
  Fixture f(0);
  f.begin();
  f.views.catalogueChanged();
  f.views.stop();
  CHECK(f.made.empty());
}

TEST_CASE("the index that was asked for longest ago makes room") {
  Fixture f(static_cast<int>(ViewIndexes::mostViews) + 2);
  f.begin();
  const auto nobodys = f.visibility.keyOf(nullptr);
  const auto kept = f.views.of(nobodys);
  for (std::size_t i = 0; i < ViewIndexes::mostViews; ++i) {
    CHECK(f.ask(f.key(std::to_string(i))) == f.key(std::to_string(i)).mark());
    CHECK(f.views.of(nobodys) == kept); // asked for in between
  }
  const auto before = f.views.of(f.key("7"));
  CHECK(f.ask(f.key("0")) == f.key("0").mark()); // made anew
  CHECK(f.views.of(f.key("7")) == before);
  f.views.stop();
  for (const auto &backend : f.made) CHECK(backend->stopped);
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
