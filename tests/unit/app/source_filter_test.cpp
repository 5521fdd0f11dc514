// SPDX-License-Identifier: Apache-2.0
// These tests show how a host makes filters, and in which order they wrap a source.
#include "catch2.hpp"
#include "made_filters.hpp"

#include <stdexcept>

using namespace skillhost;
using namespace skillhost::app;

namespace {

// A source that has nothing except its name, to which each filter adds its own.
class NamedSource final : public Source {
public:
  explicit NamedSource(std::string name) : name_(std::move(name)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> /*listener*/) override {}
  void stop() override {}
  void list(CallOptions /*options*/, ResultCallback<Snapshot> answer) override {
    answer(Snapshot{});
  }
  void changes(CallOptions /*options*/, std::string /*since*/,
               ResultCallback<Changes> answer) override {
    answer(Failure{Fault::Stale, "list again"});
  }
  void read(CallOptions /*options*/, Document /*document*/, std::size_t /*limit*/,
            ResultCallback<std::string> answer) override {
    answer(Failure{Fault::NotFound, "there is nothing"});
  }
  void readEach(CallOptions /*options*/, std::vector<Document> /*documents*/, std::size_t /*limit*/,
                Each /*each*/, std::function<void()> done) override {
    done();
  }

private:
  const std::string name_;
};

// The behaviour of a filter in these tests.
struct Behaviour {
  std::string name;
  std::string snapshot{};              // snapshot of the filter's pin; empty: it has no pin
  bool isBroken = false;               // the filter cannot be made
  bool hasNoWrapper = false;           // wrapper() throws
  bool losesSources = false;           // wrap() returns null
  bool marksByText = false;            // its mark depends on the instructions
  std::vector<std::string> withheld{}; // names of withheld skills
};

class TestWrapper final : public SourceWrapper {
public:
  TestWrapper(Behaviour behaviour, std::string mark)
      : behaviour_(std::move(behaviour)), mark_(std::move(mark)) {}
  std::optional<SourcePin> pin(const std::string & /*source*/) const override {
    if (behaviour_.snapshot.empty()) return std::nullopt;
    return SourcePin{SourcePin::Mode::Snapshot, behaviour_.snapshot};
  }
  std::shared_ptr<Source> wrap(std::shared_ptr<Source> source) const override {
    if (behaviour_.losesSources) return nullptr;
    return std::make_shared<NamedSource>(behaviour_.name + '(' + source->name() + ')');
  }
  std::string mark(const std::string &source) const override { return mark_ + source; }

private:
  const Behaviour behaviour_;
  const std::string mark_;
};

class TestFilter final : public SourceFilter {
public:
  explicit TestFilter(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}
  std::shared_ptr<const SourceWrapper> wrapper(const Configuration &configuration) override {
    if (behaviour_.hasNoWrapper) throw std::runtime_error(behaviour_.name + " does not fit");
    return std::make_shared<const TestWrapper>(
        behaviour_, behaviour_.marksByText ? configuration.instructions.value_or("") : "");
  }
  bool withholds() const noexcept override { return !behaviour_.withheld.empty(); }
  std::vector<WithheldSkill> withheld() const override {
    std::vector<WithheldSkill> all;
    for (const std::string &name : behaviour_.withheld)
      all.push_back({"team/a/" + name, "team", "a/" + name, "called-" + name, "a reason"});
    return all;
  }

private:
  const Behaviour behaviour_;
};

FilterKind kindOf(const Behaviour &behaviour) {
  return {behaviour.name,
          [behaviour](const Configuration & /*configuration*/, const ShareState & /*share*/) {
            return behaviour.isBroken ? nullptr : std::make_shared<TestFilter>(behaviour);
          },
          {"tool_of_" + behaviour.name}};
}

MadeFilters made(const std::vector<Behaviour> &all, const Configuration &configuration = {}) {
  FilterKinds kinds;
  for (const Behaviour &one : all) kinds.push_back(kindOf(one));
  return makeFilters(kinds, configuration, {});
}

std::shared_ptr<Source> plain() { return std::make_shared<NamedSource>("team"); }

} // namespace

TEST_CASE("filters wrap a source from the source outwards, and the last one names the snapshot") {
  const MadeFilters two = made({{.name = "inner", .snapshot = "1"}, {.name = "outer"}});
  CHECK(wrapped(two.wrappers, plain())->name() == "outer(inner(team))");
  CHECK(wrapped({}, plain())->name() == "team");
  CHECK(pinOf(two.wrappers, "team", {}).snapshot == "1");
  CHECK(pinOf(two.wrappers, "team", {}).mode == SourcePin::Mode::Snapshot);
  CHECK(pinOf({}, "team", {SourcePin::Mode::Newest, ""}).mode == SourcePin::Mode::Newest);
  const MadeFilters both =
      made({{.name = "inner", .snapshot = "1"}, {.name = "outer", .snapshot = "2"}});
  CHECK(pinOf(both.wrappers, "team", {}).snapshot == "2");
}

TEST_CASE("nothing is served without a filter that cannot be made or does not wrap") {
  CHECK_THROWS_WITH(made({{.name = "good"}, {.name = "bad", .isBroken = true}}),
                    "the filter bad cannot be made");
  CHECK_THROWS_WITH(made({{.name = "good"}, {.name = "bad", .hasNoWrapper = true}}),
                    "bad does not fit");
  const MadeFilters losing = made({{.name = "losing", .losesSources = true}, {.name = "good"}});
  CHECK_THROWS_AS(wrapped(losing.wrappers, plain()), std::runtime_error);
}

TEST_CASE("a source stays if all filters ask the same of it by another configuration") {
  Configuration one, other;
  one.instructions = "one";
  other.instructions = "other";
  const MadeFilters first = made({{.name = "a"}, {.name = "b", .marksByText = true}}, one);
  CHECK(treatAlike(wrappersFor(one, first.filters), first.wrappers, "team"));
  CHECK_FALSE(treatAlike(wrappersFor(other, first.filters), first.wrappers, "team"));
  CHECK_FALSE(treatAlike({}, first.wrappers, "team"));
}

TEST_CASE(
    "a withheld skill is found by its id, the end of its path or its name, if that is clear") {
  const MadeFilters filters = made({{.name = "open"},
                                    {.name = "a", .withheld = {"pdf", "word"}},
                                    {.name = "b", .withheld = {"csv"}}});
  CHECK(mayWithhold(filters.filters));
  CHECK_FALSE(mayWithhold(made({{.name = "open"}}).filters));
  const std::vector<WithheldSkill> all = withheldBy(filters.filters);
  REQUIRE(all.size() == 3);
  for (const char *const name : {"team/a/pdf", "a/pdf", "pdf", "called-pdf"}) {
    INFO(name);
    const auto found = findWithheld(all, name);
    REQUIRE(found);
    CHECK(found->id == "team/a/pdf");
    CHECK(found->reason == "a reason");
  }
  for (const char *const name : {"", "df", "/pdf", "team/a", "xls"}) {
    INFO(name);
    CHECK_FALSE(findWithheld(all, name));
  }
  std::vector<WithheldSkill> alike = all;
  alike.push_back({"other/pdf", "other", "pdf", "", ""});
  CHECK_FALSE(findWithheld(alike, "pdf"));
  CHECK(findWithheld(alike, "other/pdf"));
}

TEST_CASE("settings may name the tools of filters") {
  CHECK(toolsOf({kindOf({.name = "a"}), kindOf({.name = "b"})}) ==
        std::vector<std::string>{"tool_of_a", "tool_of_b"});
}
