// SPDX-License-Identifier: Apache-2.0
#include "http_channel.hpp"

#include "ground/json_member.hpp"
#include "ground/text.hpp"
#include "http_client/exchange.hpp"
#include "http_client/url.hpp"
#include "mcp_client/event_parser.hpp"
#include "remote/schedule.hpp"
#include "remote/trouble.hpp"
#include "rpc/repeated_fields.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

namespace skillhost::mcp_source {
namespace {

constexpr long minBytesPerSecond = 256;
constexpr std::size_t maxErrorDepth = 16, maxSessionBytes = 4'096, maxWarnings = 20;
constexpr std::chrono::milliseconds patienceWithEnd{1'000}, maxSilentWait{60'000};
constexpr const char *jsonType = "application/json", *streamType = "text/event-stream";

std::string mediaTypeIn(const std::string &field) {
  return asciiLowered(trimmedSpacesAndTabs(std::string_view(field).substr(0, field.find(';'))));
}

bool isVisible(const std::string &text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string theServer(const std::string &does) { return "the server " + does; }

std::string limitWords(std::size_t bytes) {
  return "the answer has more than " + std::to_string(bytes) + " bytes";
}

} // namespace

// An exchange is one HTTP request: it carries a message of ours, or asks for the stream of the
// session and carries none.
class HttpChannel::Exchange {
public:
  Exchange(web::Connections &connections, std::size_t maxBytes)
      : maxBytes(maxBytes), events(maxBytes), http(connections) {}

  const std::size_t maxBytes;
  Json id;                  // of our request; null: nothing is to be answered
  std::string method, body; // of our message; the stream of the session has none
  std::vector<std::string> fields;
  std::string token;
  bool isStream = false;  // the answer is a stream of events
  bool isRefused = false; // the request was answered in the server's place
  std::string answer;     // unless it is one
  EventParser events;
  web::Exchange http; // last: it uses all of the above
};

HttpChannel::HttpChannel(const Settings &settings, std::string agent, Credential &credential,
                         web::Connections &connections, remote::Operation &operation)
    : settings_(settings), agent_(std::move(agent)), credential_(credential),
      connections_(connections), operation_(operation) {}

HttpChannel::~HttpChannel() {
  running_.clear();
  if (session_.empty() || operation_.isStopped()) return;
  try {
    const Deadline end = Deadline::after(patienceWithEnd);
    start(std::make_unique<Exchange>(connections_, maxAnswerBytes_), "DELETE");
    while (!running_.front()->http.hasEnded() && !end.passed() && !operation_.isStopped()) {
      connections_.perform();
      if (!running_.front()->http.hasEnded()) connections_.wait(std::chrono::milliseconds(40));
    }
  } catch (const std::exception &) { // NOLINT(bugprone-empty-catch): the server ends it by itself
  }
}

void HttpChannel::warn(const std::string &words) {
  if (warnings_.size() < maxWarnings) warnings_.push_back(words);
}

std::deque<std::string> HttpChannel::takeWarnings() { return std::exchange(warnings_, {}); }

Status HttpChannel::send(std::string_view message, Deadline deadline) {
  auto exchange = std::make_unique<Exchange>(connections_, maxAnswerBytes_);
  exchange->body = message;
  const Json request = Json::parse(message);
  exchange->method = memberText(request, "method");
  // The id of an answer is the server's, and may be equal to one of ours.
  if (!exchange->method.empty()) exchange->id = memberOf(request, "id");
  exchange->fields = {"Content-Type: application/json",
                      "Accept: application/json, text/event-stream"};
  const Json &params = memberOf(request, "params");
  const std::string_view version =
      memberText(memberOf(params, "_meta"), "io.modelcontextprotocol/protocolVersion");
  if (!version.empty())
    for (const auto &[name, value] : repeatedFields(version, exchange->method, params))
      exchange->fields.push_back(name + ": " + value);
  const bool awaitsNothing = exchange->id.is_null();
  Exchange *const sent = exchange.get();
  start(std::move(exchange), "POST");
  // The next request must not overtake a notification, and answers must not pile up.
  const auto isRunning = [&] {
    return std::any_of(running_.begin(), running_.end(),
                       [&](const auto &one) { return one.get() == sent; });
  };
  while (awaitsNothing && isRunning()) {
    if (deadline.passed()) return {Fault::ToolTimeout, theServer("does not answer in time")};
    drive();
  }
  return Done{};
}

void HttpChannel::openStream(const Json &id) {
  auto exchange = std::make_unique<Exchange>(connections_, maxAnswerBytes_);
  exchange->id = id;
  exchange->fields = {"Accept: text/event-stream"};
  start(std::move(exchange), "GET");
}

void HttpChannel::start(std::unique_ptr<Exchange> exchange, const char *method) {
  Exchange &one = *exchange;
  web::Request request{settings_.address.url, method};
  request.fields = one.fields;
  request.fields.emplace_back("Expect:"); // no 100-continue: it costs a round trip
  // The end of the session may not wait for a token.
  one.token = request.method == "DELETE" ? credential_.known() : credential_.current(operation_);
  if (!one.token.empty()) request.fields.push_back("Authorization: Bearer " + one.token);
  if (!session_.empty()) request.fields.push_back("Mcp-Session-Id: " + session_);
  if (!version_.empty()) request.fields.push_back("MCP-Protocol-Version: " + version_);
  request.fields.insert(request.fields.end(), operation_.trace().begin(), operation_.trace().end());
  if (request.method == "POST") request.body = one.body;
  request.agent = agent_;
  request.caFile = settings_.caFile;
  request.proxy = web::Proxy::Guarded;
  request.host = settings_.address.host;
  request.isSecure = settings_.address.secure;
  request.isNamed = true; // the operator named it
  request.allowsPrivateAddresses = settings_.allowPrivateAddresses;
  if (wake_ >= 0) {
    request.findsDeadPeers = true;
  } else {
    request.minBytesPerSecond = minBytesPerSecond;
    request.stallTimeout = settings_.stallTimeout;
  }
  request.onHead = [this, &one] {
    one.isStream =
        one.http.status() == 200 && mediaTypeIn(one.http.field("Content-Type")) == streamType;
    if (one.isStream && onStream_ && !one.id.is_null()) onStream_();
    if (one.method != "initialize") return;
    std::string session = one.http.field("Mcp-Session-Id");
    if (session.size() <= maxSessionBytes && isVisible(session)) session_ = std::move(session);
  };
  request.take = [this, &one](std::string_view bytes) {
    // If receive() throws, drive() throws for the same reason.
    operation_.receive(bytes.size());
    if (one.isStream)
      return one.events.parse(bytes,
                              [&](std::string_view type, std::string_view data) {
                                if (type == "message" && !data.empty() && !one.isRefused)
                                  deliver(one, data);
                              }) &&
                     !one.isRefused
                 ? web::Taken::All
                 : web::Taken::Refused;
    if (bytes.size() > one.maxBytes - one.answer.size()) return web::Taken::Refused;
    one.answer.append(bytes);
    return web::Taken::All;
  };
  running_.push_back(std::move(exchange));
  one.http.start(std::move(request));
}

Result<std::string> HttpChannel::receive(Deadline deadline) {
  for (;;) {
    if (!messages_.empty()) {
      std::string first = std::move(messages_.front());
      messages_.pop_front();
      return first;
    }
    if (running_.empty()) return {Fault::Unavailable, theServer("has ended its answer")};
    if (deadline.passed()) return {Fault::ToolTimeout, theServer("does not answer in time")};
    drive();
  }
}

// Carries the exchanges on, for a moment.
void HttpChannel::drive() {
  operation_.checkpoint();
  connections_.perform();
  operation_.receive(0);
  bool any = false;
  for (auto one = running_.begin(); one != running_.end();) {
    const auto at = one++;
    if (!(*at)->http.hasEnded()) continue;
    any = true;
    const std::unique_ptr<Exchange> ended = std::move(*at);
    running_.erase(at);
    ended->http.end();
    finish(*ended);
  }
  if (!any && messages_.empty() && !running_.empty())
    connections_.wait(
        wake_ >= 0 ? maxSilentWait : std::chrono::milliseconds(operation_.waitSliceMs()), wake_);
}

// Passes on a message of the server. One that cannot be read must not be taken for the answer to
// another request.
void HttpChannel::deliver(Exchange &exchange, std::string_view text) {
  const Result<Json> message = parseJson(text, {maxMessageDepth, exchange.method == "resources/read"
                                                                     ? fewValues
                                                                     : mostValuesIn(text.size())});
  if (!message && message.failure().fault == Fault::InvalidRequest)
    return refuse(exchange, "the answer cannot be read: " + message.failure().message);
  if (!message || !message->is_object())
    return refuse(exchange, "the answer is no JSON object that can be read");
  messages_.emplace_back(text);
  if (exchange.method != "initialize") return;
  const std::string_view version = memberText(memberOf(*message, "result"), "protocolVersion");
  if (!version.empty() && isVisible(std::string(version))) version_ = version;
}

void HttpChannel::finish(Exchange &exchange) {
  if (exchange.http.hasFailed()) return fail(exchange);
  const long status = exchange.http.status();
  const std::string answers = "answers " + std::to_string(status);
  const auto pause = remote::retryAfterPause(exchange.http.retryAfter());
  if (status >= 300 && status < 400) {
    const std::string target(web::withoutQuery(exchange.http.redirect()));
    throw remote::RemoteError(theServer("redirects" + (target.empty() ? "" : " to " + target) +
                                        ": url must name the address of the server itself"));
  }
  if (status == 401) {
    const std::string words = theServer(
        answers + (exchange.token.empty() ? ": it needs a token" : ": the token is not accepted"));
    if (credential_.refuse(exchange.token)) throw TokenRefused(words, pause);
    throw remote::RefusedError(words, pause);
  }
  if (status == 403)
    throw remote::RefusedError(theServer(answers + ": reading is not allowed"), pause);
  if (status == 429)
    throw remote::RemoteError(theServer(answers + ": it was asked too often"), pause);
  if (status >= 502 && status <= 504) throw remote::RemoteError(theServer(answers), pause);
  if (status == 404 && !session_.empty()) {
    session_.clear(); // there is nothing to end
    throw SessionEnded(theServer("has ended the session"));
  }
  if (exchange.id.is_null()) return;
  // The answer to a request is in the stream, and an answer that comes later counts for nothing.
  if (exchange.isStream) return refuse(exchange, "the stream has ended before the answer");
  if (status == 200) {
    const std::string type = mediaTypeIn(exchange.http.field("Content-Type"));
    if (type == jsonType) return deliver(exchange, exchange.answer);
    if (exchange.method == "server/discover" || exchange.method == "initialize")
      throw remote::RemoteError(
          theServer("is no MCP server: it answers with " + (type.empty() ? "no content" : type)));
    return refuse(exchange, type.empty() ? "the answer names no type"
                                         : "the answer is " + type + " and not " + jsonType);
  }
  if (status == 405 && exchange.body.empty())
    return refuse(exchange, "HTTP status 405", methodNotFound);
  // The later revisions answer with an error and such a status.
  std::optional<Json> message = readJsonObject(exchange.answer, maxErrorDepth);
  if (!message || !memberOf(*message, "error").is_object())
    return refuse(exchange, "HTTP status " + std::to_string(status));
  (*message)["id"] = exchange.id;
  messages_.push_back(message->dump());
}

void HttpChannel::fail(Exchange &exchange) {
  const bool concernsAll = !exchange.http.forbidden().empty() || exchange.http.isUntrusted() ||
                           (!exchange.http.wasRefused() && !exchange.http.wasSent());
  if (concernsAll) throw remote::NetworkError(theServer(remote::troubleOf(exchange.http)));
  refuse(exchange, exchange.http.wasRefused() ? limitWords(exchange.maxBytes)
                                              : "no whole answer: " + exchange.http.reason());
}

// Answers the request in the server's place. What else the server sends to it counts for nothing.
void HttpChannel::refuse(Exchange &exchange, const std::string &words, int code) {
  if (std::exchange(exchange.isRefused, true) || exchange.id.is_null()) return;
  const Json message{
      {"jsonrpc", "2.0"}, {"id", exchange.id}, {"error", {{"code", code}, {"message", words}}}};
  messages_.push_back(message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace skillhost::mcp_source
