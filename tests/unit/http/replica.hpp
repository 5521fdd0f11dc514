// SPDX-License-Identifier: Apache-2.0
// Replicas of one service in one process: each has a server of its own, and they share one engine
// in memory.
#pragma once

#include "asked.hpp"
#include "catch2.hpp"
#include "conversation.hpp"
#include "ground/service_key.hpp"
#include "skills_in_memory.hpp"
#include "state/shared_state.hpp"
#include "state_in_memory.hpp"

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace skillhost {

inline SharedStateSettings sharedBySecret() {
  SharedStateSettings settings;
  settings.secret = Secret("a secret that all replicas of this service know");
  return settings;
}

inline const Fields sessionFields{{"content-type", "application/json"},
                                  {"accept", "application/json, text/event-stream"},
                                  {"mcp-protocol-version", "2025-11-25"}};

// Returns a request with that id; `params` is JSON.
inline std::string requestText(const std::string &method, const std::string &params = "{}",
                               int id = 7) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":)" + params + "}";
}
inline std::string noticeText(const std::string &method, const std::string &params = "{}") {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + "}";
}
inline std::string toolText(const std::string &tool, const std::string &arguments = "{}") {
  return requestText("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
}

struct Replica : ServerOfTest {
  explicit Replica(std::shared_ptr<StateEngine> engine, HttpRules rules = {})
      : ServerOfTest(sharing(std::move(engine))), endpoint(server, withKey(std::move(rules))) {
    hear();
  }
  Replica(std::shared_ptr<StateEngine> engine, std::shared_ptr<Source> source, HttpRules rules = {})
      : ServerOfTest(std::move(source), settings(), sharing(std::move(engine))),
        endpoint(server, withKey(std::move(rules))) {
    hear();
  }
  Replica(std::shared_ptr<StateEngine> engine, std::shared_ptr<ToolProvider> provider)
      : ServerOfTest(std::make_shared<SkillsInMemory>(SkillsInMemory::Files{}), withPlugins(),
                     sharing(std::move(engine))),
        endpoint(server, withKey({})) {
    hear();
    server.servePluginTools({std::move(provider)});
    std::promise<void> listed;
    server.whenPluginToolsAreListed([&] { listed.set_value(); });
    listed.get_future().wait();
  }
  Replica(std::shared_ptr<StateEngine> engine, Tokens tokens)
      : ServerOfTest(std::move(tokens), sharing(std::move(engine))), endpoint(server, withKey({})) {
    hear();
  }
  // The state's threads end while all objects that they use exist.
  ~Replica() { state->stop(); }

  Fields of(const std::string &session, const Fields &further = {}) const {
    return with(with(sessionFields, {{"mcp-session-id", session}}), further);
  }
  Asked post(const std::string &body, const Fields &fields = sessionFields) {
    return {endpoint, "POST", fields, body};
  }
  Asked inSession(const std::string &session, const std::string &body) {
    return post(body, of(session));
  }
  // Returns the status of a ping. Waits, because another thread may have to look at the session
  // first.
  int ping(const std::string &session) { return answered(session, requestText("ping")).status(); }
  Asked answered(const std::string &session, const std::string &body) {
    Asked asked = inSession(session, body);
    asked.exchange->wait();
    return asked;
  }
  Asked erase(const std::string &session) { return {endpoint, "DELETE", of(session)}; }
  Asked listen(const std::string &session, const Fields &further = {}) {
    return {endpoint, "GET",
            with({{"accept", "text/event-stream"},
                  {"mcp-protocol-version", "2025-06-18"},
                  {"mcp-session-id", session}},
                 further)};
  }
  std::string open(const Fields &further = {}) {
    const Asked asked = post(
        requestText(
            "initialize",
            R"({"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"t","version":"1"}})"),
        with(sessionFields, further));
    REQUIRE(asked.status() == 200);
    return asked.field("Mcp-Session-Id");
  }
  Json toolData(const std::string &session, const std::string &tool,
                const std::string &arguments = "{}") {
    const Json result = answered(session, toolText(tool, arguments)).body().at("result");
    return result.at("structuredContent").at("data");
  }

  // Waits until it has received all that `other` has published so far.
  void hearAllOf(Replica &other) {
    std::unique_lock lock(mutex_);
    const std::size_t before = marks_;
    lock.unlock();
    other.state->publish("mark", "");
    lock.lock();
    come_.wait(lock, [&] { return marks_ > before; });
  }

  // Waits until it knows that the engine is back, and has written its pending records.
  void untilBack() {
    std::unique_lock lock(mutex_);
    come_.wait(lock, [&] { return hasEngine_; });
  }

  McpEndpoint endpoint;

private:
  // With this key all replicas open each other's sessions.
  static HttpRules withKey(HttpRules rules) {
    rules.sessionKey = keyOfService(sharedBySecret().secret, "sessions of the test");
    return rules;
  }
  static ProtocolSettings withPlugins() {
    ProtocolSettings made = settings();
    made.toolPlugins = true;
    return made;
  }
  static ServerParts sharing(std::shared_ptr<StateEngine> engine) {
    ServerParts parts;
    parts.shared = std::make_shared<SharedState>(std::make_shared<StateInMemory>(std::move(engine)),
                                                 sharedBySecret());
    return parts;
  }
  void hear() {
    state->listen("mark", {[this](std::string_view) {
                             const std::scoped_lock lock(mutex_);
                             ++marks_;
                             come_.notify_all();
                           },
                           [] {}});
    state->onReachable([this](bool isBack) {
      const std::scoped_lock lock(mutex_);
      hasEngine_ = isBack;
      come_.notify_all();
    });
  }
  std::mutex mutex_;
  std::condition_variable come_;
  std::size_t marks_ = 0;
  bool hasEngine_ = true;
};

} // namespace skillhost
