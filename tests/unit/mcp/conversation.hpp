// SPDX-License-Identifier: Apache-2.0
// A server without skills, and clients of it on stdio: messages in, messages out.
#pragma once

#include "access/access.hpp"
#include "mcp/server.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

inline const std::string modernMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{},)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}})";

// The scopes of each token, by the token's text.
struct Tokens {
  std::map<std::string, std::vector<std::string>> scopes;
};

// Knows these tokens alone. Answers at once, on the calling thread.
class KnownTokens final : public AuthProvider {
public:
  // `description` is the provider's metadata.
  explicit KnownTokens(Tokens tokens, std::string description = "{}")
      : tokens_(std::move(tokens)), description_(std::move(description)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void check(CallOptions, ResultCallback<Done> answer) override { answer(Done{}); }
  void validate(CallOptions, AuthCredential credential,
                ResultCallback<AuthPrincipal> answer) override {
    const auto found = tokens_.scopes.find(std::string(credential.value.reveal()));
    if (isAway) return answer(Failure{Fault::Unavailable, "the provider is away"});
    if (found == tokens_.scopes.end())
      return answer(Failure{Fault::Unauthenticated, "unknown token"});
    answer(AuthPrincipal{.subject = found->first,
                         .issuer = "test",
                         .scopes = found->second,
                         .claims = {},
                         .expiresAt = 0,
                         .cacheSeconds = 0});
  }
  void describe(CallOptions, std::size_t, ResultCallback<std::string> answer) override {
    answer(std::string(description_));
  }
  bool isAway = false;

private:
  const std::string name_ = "known-tokens";
  const Tokens tokens_;
  const std::string description_;
};

struct ServerOfTest {
  static ProtocolSettings settings() {
    ProtocolSettings made;
    made.version = "1.2.3";
    made.startupWait = std::chrono::milliseconds(0); // no waiting for skills: there are none
    return made;
  }
  explicit ServerOfTest(ServerParts parts = {})
      : state(parts.shared), server(settings(), library, nullptr, nullptr, std::move(parts)) {
    begin();
  }
  explicit ServerOfTest(Tokens tokens, const ServerParts &parts = {}, AccessSettings rules = {},
                        std::string description = "{}")
      : state(parts.shared),
        provider(std::make_shared<KnownTokens>(std::move(tokens), std::move(description))),
        access(std::make_unique<Access>(std::move(rules), provider)),
        server(settings(), library, nullptr, nullptr, guarded(parts, *access)) {
    begin();
  }
  explicit ServerOfTest(std::shared_ptr<Source> source, ProtocolSettings wanted = settings(),
                        ServerParts parts = {})
      : state(parts.shared),
        server(std::move(wanted), library, nullptr, nullptr, std::move(parts)) {
    begin({std::move(source)});
  }
  // The library ends first, because it notifies the server of changes.
  ~ServerOfTest() { library.stop(); }
  ServerOfTest(const ServerOfTest &) = delete;
  ServerOfTest &operator=(const ServerOfTest &) = delete;
  // Starts the library and returns when it knows all skills.
  void begin(std::vector<std::shared_ptr<Source>> sources = {}) {
    library.onChange(
        [this](std::shared_ptr<const Catalogue> now, std::shared_ptr<const Catalogue> before) {
          if (isReady) server.catalogueChanged(now, before);
        });
    library.start(std::move(sources));
    std::promise<void> ready;
    library.whenReady([&] { ready.set_value(); });
    ready.get_future().wait();
    isReady = true;
  }

  static ServerParts guarded(ServerParts parts, const Access &access) {
    parts.access = &access;
    return parts;
  }

  const std::shared_ptr<SharedStore> state; // null: the replica is alone
  std::atomic<bool> isReady = false;        // earlier changes are not announced
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  std::shared_ptr<KnownTokens> provider;
  std::unique_ptr<Access> access;
  Server server;
};

class StdioClient {
public:
  explicit StdioClient(ServerOfTest &of)
      : session_(of.server.open(
            [this](const Fragments &message) { sent.push_back(Json::parse(message.text())); })) {}
  ~StdioClient() { session_->close(); }
  StdioClient(const StdioClient &) = delete;
  StdioClient &operator=(const StdioClient &) = delete;

  // Returns the answer to this line; null when there is none.
  Json say(std::string_view line) {
    const std::size_t before = sent.size();
    session_->receive(line);
    return sent.size() == before ? Json() : sent.back();
  }
  Json ask(const std::string &method, const std::string &params = "{}",
           const std::string &id = "1") {
    return say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" +
               params + "}");
  }
  Session &session() { return *session_; }

  std::vector<Json> sent;

private:
  std::shared_ptr<Session> session_;
};

} // namespace skillhost
