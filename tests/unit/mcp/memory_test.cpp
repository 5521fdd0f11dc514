// SPDX-License-Identifier: Apache-2.0
// Tests that each allocation fails in turn while a request is read, handled and answered.
#include "catch2.hpp"
#include "conversation.hpp"
#include "failing_memory.hpp"
#include "skills_in_memory.hpp"

#include <memory>
#include <new>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

SkillsInMemory::Files files() {
  const std::string description = "Greets people. Use when somebody arrives.";
  return {{{"greeter", "SKILL.md"},
           "---\nname: greeter\ndescription: " + description +
               "\n---\nSay hello, see `references/words.md`, and run `scripts/hello.sh`.\n"},
          {{"greeter", "references/words.md"}, "# Words\n\nHello, and good morning to all.\n"},
          {{"greeter", "scripts/hello.sh"}, "#!/bin/sh\n# Says hello to all.\necho hello\n"}};
}

std::string line(const std::string &method, const std::string &params) {
  return R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":)" + params + "}";
}

std::string call(const std::string &tool, const std::string &arguments) {
  return line("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
}

const std::vector<std::string> requests{
    line("ping", R"({"x":[[1,{"k":["a text that needs memory of its own"]}],{"l":{}}]})"),
    line("tools/list", "{}"),
    line("resources/list", "{}"),
    line("resources/templates/list", "{}"),
    line("resources/read", R"({"uri":"skill://memory/greeter/SKILL.md"})"),
    line("resources/read", R"({"uri":"skill://memory/greeter/not/there/at/all.md"})"),
    line("prompts/list", "{}"),
    line("prompts/get", R"({"name":"greeter"})"),
    line("completion/complete",
         R"({"ref":{"type":"ref/prompt","name":"greeter"},"argument":{"name":"a","value":""}})"),
    line("skills/list", "{}"),
    line("no/such/method/of/any/kind", "{}"),
    line("tools/list", "[\"params that are no object at all\"]"),
    call("list_skills", R"({"detail":true})"),
    call("load_skill", R"({"skill_name":"greeter","force_reload":true})"),
    call("load_skill", R"({"skill_name":"a skill that nobody has ever heard of"})"),
    call("read_skill_document", R"({"skill_name":"greeter","document_path":"references/*"})"),
    call("get_server_stats", "{}"),
    call("list_skills", R"({"no_such_argument_of_this_tool":[1,[2,{"k":"v"}]]})"),
    line("tools/list", "{" + modernMeta + "}"),
    line("server/discover", "{" + modernMeta + "}"),
};

// Keeps the answers without allocating.
struct Client {
  explicit Client(ServerOfTest &server)
      : session(server.server.open([this](const Fragments &message) {
          std::string text = message.text();
          if (answers.size() < answers.capacity()) answers.push_back(std::move(text));
        })) {
    answers.reserve(8);
  }
  ~Client() { session->close(); }
  Client(const Client &) = delete;
  Client &operator=(const Client &) = delete;

  std::vector<std::string> answers;
  const std::shared_ptr<Session> session;
};

void checkEachAllocation(const std::string &request, Lack lack) {
  CAPTURE(request, lack == Lack::Lasting);
  ServerOfTest server(std::make_shared<SkillsInMemory>(files()));
  Client client(server);
  std::size_t refused = 0;
  const std::size_t count = failEachAllocation(lack, [&] {
    client.answers.clear();
    try {
      client.session->receive(request);
    } catch (const std::bad_alloc &) {
      haveMemory();
      CHECK(lack == Lack::Lasting); // there is no memory for an answer either
    }
    haveMemory();
    // When all allocations fail there may be no memory for an answer's text.
    REQUIRE(client.answers.size() <= 1);
    if (lack == Lack::Once) REQUIRE(client.answers.size() == 1);
    for (const std::string &answer : client.answers) {
      const Json read = Json::parse(answer);
      CHECK(read.at("id") == 7);
      const bool isError = read.contains("error");
      CHECK(isError != read.contains("result"));
      if (!isError) continue;
      CHECK(read["error"].at("code") != -32600); // the id is not taken for one that still runs
      if (read["error"]["code"] == -31003) ++refused;
    }
    CHECK(client.session->waitUntilIdle(std::chrono::milliseconds(0)));
  });
  CHECK(count > 10);
  if (lack == Lack::Once) CHECK(refused > 0); // control: it failed for lack of memory
  client.answers.clear();
  client.session->receive(request);
  REQUIRE(client.answers.size() == 1);
  CHECK(client.answers.front().find("-31003") == std::string::npos);
}

} // namespace

TEST_CASE("whichever allocation fails, a request is answered once and the next one is served") {
  for (const std::string &request : requests) checkEachAllocation(request, Lack::Once);
}

TEST_CASE("when no memory is left at all, a request costs nothing but its answer") {
  for (const std::string &request : requests) checkEachAllocation(request, Lack::Lasting);
}
