// SPDX-License-Identifier: Apache-2.0
#include "remote_session.hpp"

#include "base/log.hpp"

#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::seconds lasting{5};

// These ids belong to skillhost: answers to the client's requests never have them.
constexpr std::string_view openingId = R"("skillhost-connect-initialize")",
                           restoringId = R"("skillhost-connect-restore")";

std::string request(std::string_view id, std::string_view method, const Json &params) {
  std::string text = R"({"jsonrpc":"2.0","id":)";
  text += id;
  (text += R"(,"method":")") += method;
  return text + R"(","params":)" + params.dump() + '}';
}

void ignoreMessage(std::string_view) {}

} // namespace

HttpFields postFields() {
  return {{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
}

void RemoteSession::requestSession(const Json &params) {
  if (state_ != State::NotRequested) end([] {});
  params_ = params;
  state_ = State::Closed;
  wasOpenBefore_ = false;
  remembered_.clear();
  blocked_.reset();
}

HttpFields RemoteSession::fields() const {
  HttpFields fields = postFields();
  if (!id_.empty()) fields.emplace_back("Mcp-Session-Id", id_);
  if (!version_.empty()) fields.emplace_back("MCP-Protocol-Version", version_);
  return fields;
}

void RemoteSession::onSessionLost(const std::string &id) {
  if (state_ != State::Open || id != id_) return;
  log::info("connect", "the server has forgotten the session: opening another");
  reopen();
}

// Closes the session here, to open a new one.
void RemoteSession::reopen() {
  if (openExchange_ != 0) remote_.stop(std::exchange(openExchange_, 0));
  if (streamExchange_ != 0) remote_.stop(std::exchange(streamExchange_, 0));
  id_.clear();
  version_.clear();
  lastEvent_.clear();
  openBy_ = Clock::time_point::max();
  // A session that lasted is opened again at once. One that ends early is opened with growing
  // delays.
  openAt_ = Clock::now();
  if (std::exchange(state_, State::Closed) == State::Open && openAt_ - openedAt_ > lasting)
    openDelays_.reset();
  else
    openAt_ += openDelays_.next();
}

void RemoteSession::remember(const ClientMessage &message) {
  const auto uri = message.params.find("uri");
  const std::string about = uri == message.params.end() ? std::string{} : uri->dump();
  if (message.method == "logging/setLevel")
    remembered_["level"] = request(restoringId, message.method, message.params);
  else if (message.method == "resources/subscribe" && remembered_.size() < 10'000)
    remembered_["of " + about] = request(restoringId, message.method, message.params);
  else if (message.method == "resources/unsubscribe")
    remembered_.erase("of " + about);
}

RemoteSession::Clock::time_point RemoteSession::due() const {
  switch (state_) {
  case State::NotRequested:
    return Clock::time_point::max();
  case State::Closed:
    return blocked_ ? Clock::time_point::max() : std::max(openAt_, remote_.nextTry());
  case State::Opening:
  case State::Confirming:
    return openBy_;
  case State::Open:
    return streamExchange_ != 0 ? Clock::time_point::max()
                                : std::max(openStreamAt_, remote_.nextTry());
  }
  return Clock::time_point::max();
}

void RemoteSession::work() {
  const auto now = Clock::now();
  if ((state_ == State::Opening || state_ == State::Confirming) && now >= openBy_) {
    log::warning("connect", "the server does not answer initialize: trying again");
    reopen();
  }
  if (state_ == State::Closed && !blocked_ && now >= openAt_ && remote_.ready()) open();
  if (state_ == State::Open && streamExchange_ == 0 && now >= openStreamAt_ && remote_.ready())
    openStream();
}

void RemoteSession::open() {
  state_ = State::Opening;
  openBy_ = Clock::now() + patience_;
  const auto answer = std::make_shared<std::optional<ServerMessage>>();
  openExchange_ = remote_.start("POST", postFields(), request(openingId, "initialize", params_),
                                {{},
                                 [answer](std::string_view text) {
                                   auto message = readServerMessage(text);
                                   if (message && message->answer) *answer = std::move(message);
                                 },
                                 [this, answer](const AnswerEnd &end) {
                                   openExchange_ = 0;
                                   onOpenEnded(end, *answer);
                                 }});
}

void RemoteSession::onOpenEnded(const AnswerEnd &end, const std::optional<ServerMessage> &answer) {
  if (answer && answer->json.contains("result") && answer->json["result"].is_object()) {
    const Json &result = answer->json["result"];
    const auto version = result.find("protocolVersion");
    id_ = end.head.session;
    version_ = version != result.end() && version->is_string() ? version->get<std::string>() : "";
    isTokenRenewed_ = false;
    owner_.opened(result);
    return confirm();
  }
  reopen();
  if (end.head.status == 401 && !isTokenRenewed_ && remote_.renewToken()) {
    isTokenRenewed_ = true;
    openAt_ = Clock::now();
    return;
  }
  isTokenRenewed_ = false;
  const bool away = end.end.kind == HttpEnd::Kind::NeverSent ||
                    end.end.kind == HttpEnd::Kind::Broken || end.head.status >= 500;
  if (away && !answer) return; // retried until the server is reachable
  AnswerEnd answerEnd = end;
  if (answer) answerEnd.body = answer->json.dump();
  blocked_ = refusalOf(answerEnd);
  log::error("connect", "no session: " + blocked_->words +
                            (blocked_->advice.empty() ? "" : "; " + blocked_->advice));
  owner_.refused(*blocked_);
}

void RemoteSession::confirm() {
  state_ = State::Confirming;
  // ready() is not asked, because the server has just answered.
  openExchange_ =
      remote_.start("POST", fields(), R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                    {{}, &ignoreMessage, [this](const AnswerEnd &end) {
                       openExchange_ = 0;
                       if (end.end.kind == HttpEnd::Kind::Complete && end.head.status / 100 == 2)
                         return onOpened();
                       log::warning("connect", "initialized: " + refusalOf(end).words);
                       reopen();
                     }});
}

void RemoteSession::onOpened() {
  state_ = State::Open;
  openBy_ = Clock::time_point::max();
  openedAt_ = Clock::now();
  streamDelays_.reset();
  openStreamAt_ = Clock::time_point::min();
  log::info("connect", wasOpenBefore_ ? "the session stands again" : "the session stands");
  for (const auto &[about, body] : remembered_)
    remote_.start("POST", fields(), body, {{}, &ignoreMessage, [](const AnswerEnd &) {}});
  // Nobody reported the changes while no session was open, so announce all kinds.
  if (std::exchange(wasOpenBefore_, true))
    for (const char *kind : {"tools", "resources", "prompts"})
      owner_.send(std::string(R"({"jsonrpc":"2.0","method":"notifications/)") + kind +
                  R"(/list_changed"})");
}

void RemoteSession::openStream() {
  HttpFields own = fields();
  own.erase(own.begin(), own.begin() + 2); // removes the two fields of a POST
  own.emplace_back("Accept", "text/event-stream");
  if (!lastEvent_.empty()) own.emplace_back("Last-Event-ID", lastEvent_);
  streamExchange_ = remote_.start("GET", std::move(own), {},
                                  {{},
                                   [this](std::string_view text) {
                                     streamDelays_.reset();
                                     owner_.send(text);
                                   },
                                   [this](const AnswerEnd &end) {
                                     streamExchange_ = 0;
                                     onStreamEnded(end);
                                   }});
}

void RemoteSession::onStreamEnded(const AnswerEnd &end) {
  if (end.head.status == 404) {
    // Either the event or the session is unknown. A new attempt without the event shows which.
    if (std::exchange(lastEvent_, {}).empty()) return onSessionLost(id_);
    openStreamAt_ = Clock::now();
    return;
  }
  if (end.head.status >= 400 && end.head.status < 500 && end.head.status != 429) {
    openStreamAt_ = Clock::time_point::max(); // 405: the server offers no such stream
    if (end.head.status != 405)
      log::warning("connect", "the session's stream: " + refusalOf(end).words);
    return;
  }
  if (!end.lastId.empty()) lastEvent_ = end.lastId;
  openStreamAt_ = Clock::now() +
                  std::max(end.retry.value_or(std::chrono::milliseconds(0)), streamDelays_.next());
}

void RemoteSession::end(std::function<void()> ended) {
  const bool any = state_ == State::Open && !id_.empty();
  HttpFields own = fields();
  own.erase(own.begin(), own.begin() + 2);
  reopen();
  state_ = State::NotRequested;
  if (!any) return ended();
  remote_.start("DELETE", std::move(own), {},
                {{}, &ignoreMessage, [ended = std::move(ended)](const AnswerEnd &) { ended(); }});
}

} // namespace skillhost
