// SPDX-License-Identifier: Apache-2.0
// Tests under which outcome a failed call is counted.
#include "mcp/call_metrics.hpp"
#include "plugin/observer.hpp"
#include "reader.hpp"
#include "search/index.hpp"

#include <future>

using namespace skillhost;

namespace {

// A source whose host limits the rate of requests.
class LimitedSource final : public SkillsInMemory {
public:
  LimitedSource() : SkillsInMemory(threeSkills()) {}
  void read(CallOptions options, Document document, std::size_t limit,
            ResultCallback<std::string> answer) override {
    if (isLimited) return answer(Failure{Fault::RateLimited, "the host was asked too often"});
    SkillsInMemory::read(options, std::move(document), limit, std::move(answer));
  }
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    if (!isLimited)
      return SkillsInMemory::readEach(options, std::move(documents), limit, std::move(each),
                                      std::move(done));
    for (std::size_t i = 0; i < documents.size(); ++i)
      each(i, Failure{Fault::RateLimited, "the host was asked too often"});
    done();
  }
  bool isLimited = false;
};

// Keeps the uses that it observes.
class Uses final : public Observer {
public:
  struct Told {
    UseKind kind;
    std::string skill, outcome;
  };
  Uses() : Observer(event::callEnded | event::refused) {}
  void callEnded(const UseView &use) noexcept override { keep(use); }
  void refused(const UseView &use) noexcept override { keep(use); }
  std::vector<Told> all;

private:
  void keep(const UseView &use) {
    all.push_back({use.kind, std::string(use.skill), std::string(use.outcome)});
  }
};

class AbsentSource final : public SkillsInMemory {
public:
  AbsentSource() : SkillsInMemory({}) {}
  void list(CallOptions, ResultCallback<Snapshot> answer) override {
    answer(Failure{Fault::OperationFailed, "the folder is gone"});
  }
};

class NothingFound final : public SearchBackend {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void held(CallOptions, ResultCallback<std::optional<std::vector<HeldEntry>>> answer) override {
    answer(std::optional<std::vector<HeldEntry>>{});
  }
  void update(CallOptions, std::vector<SearchEntry>, std::vector<std::string>, std::string,
              ResultCallback<Done> answer) override {
    answer(Done{});
  }
  void query(CallOptions, std::string, std::string, std::uint32_t,
             ResultCallback<std::vector<SearchHit>> answer) override {
    answer(std::vector<SearchHit>{});
  }

private:
  const std::string name_ = "nothing";
};

double searchesOf(const char *outcome) {
  return metrics::all().counter({"skillhost_searches_total", {{"outcome", outcome}}}).value();
}

} // namespace

TEST_CASE("a source that is asked too often fails, and refuses nobody") {
  const auto uses = std::make_shared<Uses>();
  const auto source = std::make_shared<LimitedSource>();
  ServerOfTest of(source, ServerOfTest::settings(), {Observers({uses}), {}});
  StdioClient client(of);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  source->isLimited = true;
  const Json answer = client.ask(
      "tools/call", R"({"name":"read_skill_document","arguments":{"skill_name":"greeter",)"
                    R"("document_path":"references/words.md"}})");
  INFO(answer.dump());
  CHECK(answer.at("result").at("structuredContent").at("error").at("code") == "RATE_LIMITED");
  REQUIRE(uses->all.size() == 1);
  CHECK(uses->all[0].kind == UseKind::Read); // and not UseKind::Refusal
  CHECK(uses->all[0].skill == "greeter");
  CHECK(uses->all[0].outcome == "RATE_LIMITED");
}

TEST_CASE("a search while there are no skills to be found has failed") {
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  library.start({std::make_shared<AbsentSource>()});
  std::promise<void> ready, committed;
  library.whenReady([&] { ready.set_value(); });
  ready.get_future().wait();
  Index index;
  index.attach(std::shared_ptr<SearchBackend>(std::make_shared<NothingFound>()));
  index.update({}, "1");
  index.whenCommitted({}, [&] { committed.set_value(); });
  committed.get_future().wait();
  Server server(ServerOfTest::settings(), library, &index);
  const double none = searchesOf("none"), failed = searchesOf("failed");
  std::promise<Json> answered;
  const auto session = server.open([&](const Fragments &message) {
    Json answer = Json::parse(message.text());
    if (answer.value("id", 0) == 2) answered.set_value(std::move(answer));
  });
  session->receive(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)"
                   R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                   R"("clientInfo":{"name":"t","version":"1"}}})");
  session->receive(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":)"
                   R"({"name":"find_helpful_skills","arguments":{"task_description":"greet"}}})");
  const Json answer = answered.get_future().get();
  INFO(answer.dump());
  CHECK(answer.at("result").at("isError") == true);
  CHECK(searchesOf("none") == none);
  CHECK(searchesOf("failed") == failed + 1);
  session->close();
  index.stop();
  library.stop();
}
