// SPDX-License-Identifier: Apache-2.0
// Tests of a source that does not answer: its caller is answered in time, and nobody else waits.
#include "ground/guarded.hpp"
#include "listening_client.hpp"
#include "reader.hpp"

using namespace skillhost;

namespace {

// Lists its skills, and then keeps the readers of files waiting.
class SilentSource final : public SkillsInMemory {
public:
  SilentSource() : SkillsInMemory(threeSkills()) {}
  void read(CallOptions, Document, std::size_t, ResultCallback<std::string> answer) override {
    wait([answer = std::move(answer)] { answer(std::string("late")); });
  }
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    if (!isListed) return SkillsInMemory::readEach(options, documents, limit, each, done);
    wait([count = documents.size(), each = std::move(each), done = std::move(done)] {
      for (std::size_t i = 0; i < count; ++i) each(i, std::string("late"));
      done();
    });
  }
  // Answers all waiting reads; returns their number.
  std::size_t answerAll() {
    const auto all = waiting_.with([](auto &one) { return std::exchange(one, {}); });
    for (const std::function<void()> &answer : all) answer();
    return all.size();
  }
  std::atomic<bool> isListed = false;

private:
  void wait(std::function<void()> answer) {
    waiting_.with([&](auto &all) { all.push_back(std::move(answer)); });
  }
  Guarded<std::vector<std::function<void()>>> waiting_;
};

struct Silent {
  std::shared_ptr<SilentSource> source = std::make_shared<SilentSource>();
  ServerOfTest of;
  ListeningClient client;

  explicit Silent(std::chrono::milliseconds query)
      : of(source, settingsWith(query)), client(of.server) {
    source->isListed = true;
    client.ask("initialize", handshake, "1");
    client.say("notifications/initialized", "{}");
  }
  static ProtocolSettings settingsWith(std::chrono::milliseconds query) {
    ProtocolSettings settings = ServerOfTest::settings();
    settings.deadlines.query = query;
    return settings;
  }
};

const std::string words = R"({"uri":"skill://memory/greeter/references/words.md"})";

} // namespace

TEST_CASE("at its deadline a request is answered, and a late answer of the source is dropped") {
  Silent silent(std::chrono::milliseconds(50));
  const Json failed = silent.client.ask("resources/read", words, "2").at("error");
  CHECK(failed.at("code") == -31001);
  const Json tool = silent.client
                        .ask("tools/call",
                             R"({"name":"read_skill_document","arguments":{"skill_name":"greeter",)"
                             R"("document_path":"references/words.md"}})",
                             "3")
                        .at("result");
  CHECK(tool.at("isError") == true);
  CHECK(tool.at("structuredContent").at("error").at("code") == "TOOL_TIMEOUT");
  CHECK(tool.at("structuredContent").at("error").at("retryable") == true);
  const std::size_t before = silent.client.count();
  silent.source->answerAll();
  CHECK(silent.client.ask("ping", "{}", "4").contains("result"));
  CHECK(silent.client.count() == before + 1);
}

TEST_CASE("a result that comes after its deadline is TOOL_TIMEOUT, however short that was") {
  Silent silent(std::chrono::milliseconds(0));
  const Json result =
      silent.client.ask("tools/call", R"({"name":"list_skills"})", "2").at("result");
  CHECK(result.at("isError") == true);
  CHECK(result.at("structuredContent").at("error").at("code") == "TOOL_TIMEOUT");
}

TEST_CASE("who waits for a source keeps nobody, and is answered when that answers") {
  Silent silent(std::chrono::hours(1));
  silent.client.say("resources/read", words, "2");
  CHECK(silent.client.ask("ping", "{}", "3").contains("result"));
  CHECK(silent.client.ask("tools/call", R"({"name":"list_skills"})", "4").contains("result"));
  CHECK(silent.source->answerAll() == 1);
  CHECK(silent.client.answer("2").at("result").at("contents").at(0).at("text") == "late");
}

TEST_CASE("a request that is cancelled is not answered, and its id is free") {
  Silent silent(std::chrono::hours(1));
  silent.client.say("resources/read", words, "2");
  silent.client.say("notifications/cancelled", R"({"requestId":2})");
  const std::size_t before = silent.client.count();
  silent.source->answerAll();
  CHECK(silent.client.count() == before);
  silent.client.say("resources/read", R"({"uri":"skill://memory/greeter/logo.png"})", "2");
  CHECK(silent.source->answerAll() == 1);
  CHECK(silent.client.answer("2").contains("result"));
}
