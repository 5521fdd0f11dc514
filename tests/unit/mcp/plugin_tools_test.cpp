// SPDX-License-Identifier: Apache-2.0
// Tests of plugins' tools, prompts and resources: which calls reach the plugin, and how clients see
// its answers.
#include "catch2.hpp"
#include "conversation.hpp"
#include "provider.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

const std::string fromPlugin =
    R"({"tools":[{"name":"add","inputSchema":{"type":"object"}}],)"
    R"("prompts":[{"name":"greet","arguments":[{"name":"who","required":true}]}],)"
    R"("resources":[{"uri":"note://one","name":"one"}],)"
    R"("resourceTemplates":[{"uriTemplate":"note://{name}","name":"note"}]})";

// Gives the answer that the test set, at once, and remembers the request.
class Answering final : public Provider {
public:
  Answering() : Provider(fromPlugin) {}
  void callTool(CallOptions, Exchange exchange, std::string tool, std::string arguments,
                std::size_t, ResultCallback<std::string> answer) override {
    take(std::move(exchange), std::move(tool), std::move(arguments));
    answer(next);
  }
  void getPrompt(CallOptions, Exchange exchange, std::string prompt, std::string arguments,
                 std::size_t, ResultCallback<std::string> answer) override {
    take(std::move(exchange), std::move(prompt), std::move(arguments));
    answer(next);
  }
  void readResource(CallOptions, Exchange exchange, std::string uri, std::size_t,
                    ResultCallback<std::string> answer) override {
    take(std::move(exchange), std::move(uri), {});
    answer(next);
  }
  void complete(CallOptions, CompletionRequest request, std::size_t,
                ResultCallback<std::string> answer) override {
    what = request.reference + " " + request.argument + " " + request.value;
    answer(next);
  }

  Result<std::string> next = std::string("{}");
  std::string what, arguments;
  Exchange exchange;
  int asked = 0;

private:
  void take(Exchange from, std::string name, std::string with) {
    exchange = std::move(from);
    what = std::move(name);
    arguments = std::move(with);
    ++asked;
  }
};

struct Plugged {
  static ProtocolSettings settings() {
    ProtocolSettings made = ServerOfTest::settings();
    made.toolPlugins = true;
    return made;
  }
  Plugged() : server(settings(), library, nullptr) {
    library.start({});
    server.servePluginTools({plugin});
    session = server.open(
        [this](const Fragments &message) { sent.push_back(Json::parse(message.text())); });
  }
  ~Plugged() { session->close(); }
  Json ask(const std::string &method, const std::string &params) {
    session->receive(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params +
                     "}");
    REQUIRE_FALSE(sent.empty());
    return sent.back();
  }
  // Makes it a client of the older protocol.
  void shakeHands() {
    ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                      R"("clientInfo":{"name":"t","version":"1"}})");
  }

  std::shared_ptr<Answering> plugin = std::make_shared<Answering>();
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  Server server;
  std::vector<Json> sent;
  std::shared_ptr<Session> session;
};

} // namespace

TEST_CASE("a tool of a plugin gets the arguments, and its result is the client's") {
  Plugged of;
  of.shakeHands();
  const std::string call = R"({"name":"add","arguments":{"b":[1,{"c":null}],"a":"x"}})";
  of.plugin->next =
      std::string(R"({"content":[{"type":"text","text":"3"}],"structuredContent":{"sum":3}})");
  const Json result = of.ask("tools/call", call).at("result");
  CHECK(of.plugin->what == "add");
  CHECK(Json::parse(of.plugin->arguments) == Json::parse(R"({"b":[1,{"c":null}],"a":"x"})"));
  CHECK(result.at("content").at(0).at("text") == "3");
  CHECK(result.at("structuredContent").at("sum") == 3);
  CHECK(result.at("_meta").contains("org.skillhost/durationMs"));
  CHECK_FALSE(result.contains("isError"));
  // Without arguments the plugin gets an object all the same.
  of.ask("tools/call", R"({"name":"add"})");
  CHECK(of.plugin->arguments == "{}");
}

TEST_CASE("a tool of a plugin that fails, or answers what it may not, is an error for the model") {
  Plugged of;
  of.shakeHands();
  const auto error = [&](Result<std::string> next) {
    of.plugin->next = std::move(next);
    const Json result = of.ask("tools/call", R"({"name":"add"})").at("result");
    INFO(result.dump());
    CHECK(result.at("isError") == true);
    return result.at("structuredContent").at("error");
  };
  const Json away = error(Failure{Fault::Unavailable, "the ledger is locked"});
  CHECK(away.at("code") == "SERVICE_UNAVAILABLE");
  CHECK(away.at("retryable") == true);
  CHECK(away.at("message").get<std::string>().find("the ledger is locked") != std::string::npos);
  for (const std::string text :
       {R"()", R"([])", R"({)", R"({"content":7})", R"({"content":[{"type":"text"}]})",
        R"({"content":[{"type":"none","text":"x"}]})", R"({"content":[],"isError":1})",
        R"({"structuredContent":[1]})", R"({"content":[{"type":"image","data":"AA=="}]})"}) {
    INFO(text);
    const Json wrong = error(std::string(text));
    CHECK(wrong.at("code") == "INTERNAL_ERROR");
  }
  // The list is still there for the next call.
  of.plugin->next = std::string(R"({"content":[]})");
  CHECK_FALSE(of.ask("tools/call", R"({"name":"add"})").at("result").contains("isError"));
}

TEST_CASE("a prompt of a plugin takes texts, and what it refuses is the client's fault") {
  Plugged of;
  of.shakeHands();
  of.plugin->next =
      std::string(R"({"messages":[{"role":"user","content":{"type":"text","text":"Hello Ada"}}]})");
  const Json got = of.ask("prompts/get", R"({"name":"greet","arguments":{"who":"Ada"}})");
  CHECK(of.plugin->arguments == R"({"who":"Ada"})");
  CHECK(got.at("result").at("messages").at(0).at("content").at("text") == "Hello Ada");
  const int before = of.plugin->asked;
  CHECK(of.ask("prompts/get", R"({"name":"greet","arguments":{"who":7}})").at("error").at("code") ==
        -32602);
  CHECK(of.ask("prompts/get", R"({"name":"greet","arguments":[]})").at("error").at("code") ==
        -32602);
  CHECK(of.plugin->asked == before); // neither request has reached the plugin
  of.plugin->next = Failure{Fault::InvalidInput, "who is unknown"};
  const Json refused = of.ask("prompts/get", R"({"name":"greet","arguments":{"who":"x"}})");
  CHECK(refused.at("error").at("code") == -32602);
  CHECK(refused.at("error").at("message").get<std::string>().find("who is unknown") !=
        std::string::npos);
}

TEST_CASE("resources and completions of a plugin") {
  Plugged of;
  of.shakeHands();
  of.plugin->next = std::string(R"({"contents":[{"uri":"note://two","text":"2"}]})");
  CHECK(of.ask("resources/read", R"({"uri":"note://two"})")
            .at("result")
            .at("contents")
            .at(0)
            .at("text") == "2");
  CHECK(of.plugin->what == "note://two");
  of.plugin->next = Failure{Fault::NotFound, "no such note"};
  CHECK(of.ask("resources/read", R"({"uri":"note://none"})").at("error").at("code") == -32002);
  const std::string complete = R"({"ref":{"type":"ref/resource","uri":"note://{name}"},)"
                               R"("argument":{"name":"name","value":"o"}})";
  of.plugin->next = std::string(R"({"values":["one","other"]})");
  const Json values = of.ask("completion/complete", complete).at("result").at("completion");
  CHECK(values.at("values") == Json{"one", "other"});
  CHECK(of.plugin->what == "note://{name} name o");
  of.plugin->next = Failure{Fault::NotImplemented, "completes nothing"};
  CHECK(of.ask("completion/complete", complete).at("result").at("completion").at("values").empty());
}

TEST_CASE("input that a plugin requires comes back with the state it gave, and with no other") {
  Plugged of;
  const auto call = [&](const std::string &arguments, const std::string &more = "") {
    return of.ask("tools/call",
                  R"({"name":"add","arguments":)" + arguments + more + "," +
                      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},)"
                      R"("io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}})");
  };
  of.plugin->next = std::string(
      R"({"resultType":"input_required","requestState":"secret",)"
      R"("inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Sure?"}}}})");
  const Json asked = call(R"({"a":1})");
  INFO(asked.dump());
  const Json &result = asked.at("result");
  CHECK(result.at("resultType") == "input_required");
  CHECK(result.at("inputRequests").at("q").at("method") == "elicitation/create");
  const std::string state = result.at("requestState");
  of.plugin->next = std::string(R"({"content":[{"type":"text","text":"done"}]})");
  const std::string again =
      R"(,"inputResponses":{"q":{"action":"accept"}},"requestState":)" + Json(state).dump();
  CHECK(call(R"({"a":1})", again).at("result").at("content").at(0).at("text") == "done");
  CHECK(of.plugin->exchange.requestState == "secret");
  CHECK(Json::parse(of.plugin->exchange.inputResponses).at("q").at("action") == "accept");
  // The state fits no other call, and a changed one fits none.
  const int before = of.plugin->asked;
  CHECK(call(R"({"a":2})", again).contains("error"));
  std::string changed = state;
  changed.back() = changed.back() == 'A' ? 'B' : 'A';
  CHECK(call(R"({"a":1})", R"(,"requestState":)" + Json(changed).dump()).contains("error"));
  CHECK(call(R"({"a":1})", R"(,"requestState":7)").contains("error"));
  CHECK(of.plugin->asked == before);
}

TEST_CASE("a client of the older protocol cannot be required to give input") {
  Plugged of;
  of.shakeHands();
  of.plugin->next = std::string(
      R"({"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}})");
  const Json answer = of.ask("tools/call", R"({"name":"add"})");
  INFO(answer.dump());
  CHECK(answer.at("error").at("message").get<std::string>().find("needs a newer client") !=
        std::string::npos);
}
