// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skills/library.hpp"

#include <future>
#include <mutex>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

// A source with two skills that reports a change at once and answers on the calling thread.
class TwoSkills final : public Source {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void list(CallOptions, ResultCallback<Snapshot> answer) override {
    answer(Snapshot{"1", both("1")});
  }
  void changes(CallOptions options, std::string, ResultCallback<Changes> answer) override {
    deadlines.with([&](auto &all) { all.push_back(options.deadline.at()); });
    answer(Changes{"2", both("2"), {}});
  }
  void read(CallOptions, Document, std::size_t, ResultCallback<std::string>) override {}
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t, Each each,
                std::function<void()> done) override {
    const bool change = documents[0].revision == "2";
    if (change) deadlines.with([&](auto &all) { all.push_back(options.deadline.at()); });
    for (std::size_t i = 0; i < documents.size(); ++i)
      each(i, change && late && i == 1
                  ? Result<std::string>(Fault::ToolTimeout, "late")
                  : "---\nname: " + documents[i].skill + "\ndescription: Revision " +
                        documents[i].revision + ".\n---\n");
    done();
  }
  std::atomic<bool> late{true};
  // Deadlines of the calls of changes() and of the calls that follow.
  Guarded<std::vector<Deadline::Clock::time_point>> deadlines;

private:
  static std::vector<Document> both(const std::string &revision) {
    std::vector<Document> documents;
    for (const char *skill : {"a", "b"})
      documents.push_back({skill, "SKILL.md", revision, {}, UINT64_MAX, true, false});
    return documents;
  }
  const std::string name_ = "two";
};

} // namespace

TEST_CASE("a change is applied as a whole within one deadline, or later") {
  const auto source = std::make_shared<TwoSkills>();
  std::promise<void> applied;
  Library library(SkillRules{}, std::chrono::milliseconds(1));
  library.onChange([&](const auto &now, const auto &before) {
    if (before->generation() != 0 && now->byName("b")->skill->fields.description == "Revision 2.")
      applied.set_value();
  });
  library.start({source});
  std::promise<void> ready;
  library.whenReady([&] { ready.set_value(); });
  ready.get_future().wait();
  library.refresh();
  // The catalogue shows the failed refresh; the served skills are unchanged.
  while (library.catalogue()->sources()[0].failure.empty()) std::this_thread::yield();
  const auto catalogue = library.catalogue();
  CHECK(catalogue->byName("a")->skill->fields.description == "Revision 1.");
  CHECK(catalogue->byName("b")->skill->fields.description == "Revision 1.");
  const auto deadlines = source->deadlines.copy();
  REQUIRE(deadlines.size() >= 2);
  CHECK(deadlines[0] == deadlines[1]);
  source->late = false;
  // The library refreshes by itself, a second after the failure.
  CHECK(applied.get_future().wait_for(std::chrono::seconds(30)) == std::future_status::ready);
  library.stop();
}
