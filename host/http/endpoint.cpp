// SPDX-License-Identifier: Apache-2.0
#include "allowed_origin.hpp"
#include "auth_filter.hpp"
#include "base/log.hpp"
#include "ground/json_text.hpp"
#include "ground/random.hpp"
#include "ground/utf8.hpp"
#include "held_credential.hpp"
#include "http/mcp_endpoint.hpp"
#include "http_reply.hpp"
#include "long_requests.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "message_headers.hpp"
#include "mirrored_fields.hpp"
#include "opening_reply.hpp"
#include "session_table.hpp"

#include <atomic>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view sessionField = "mcp-session-id";
constexpr std::size_t largestAtOnce = 16U << 10U; // read on the thread of all connections
constexpr std::string_view firstPrimedVersion = "2025-11-25"; // versions order as text
int invalidRequest() { return describe(Fault::InvalidRequest).jsonRpc; }
constexpr std::string_view noSession = "there is no such session: initialize again";

} // namespace

// Shared with the requests under way, which may outlive the endpoint by the time of an answer.
class McpEndpoint::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  Implementation(std::shared_ptr<Services> services, HttpRules rules)
      : services_(std::move(services)), rules_(std::move(rules)),
        authFilter_(std::make_shared<const HttpAuthFilter>(services_->access, rules_.publicUrl)),
        sessions_(rules_.sessions, rules_.sessionIdle) {}

  void handle(const std::shared_ptr<HttpExchange> &exchange);
  void guard(const std::shared_ptr<HttpExchange> &exchange, Need need, const Admitted &admitted,
             const std::function<void()> &otherwise);
  void close();
  void end();
  void sweepLater();

private:
  using Exchange = const std::shared_ptr<HttpExchange> &;
  void admitted(Exchange exchange, HttpFields fields, const PrincipalPointer &principal);
  void post(Exchange exchange, HttpFields fields, const PrincipalPointer &principal);
  void bodyCame(Exchange exchange, HttpReplyForm form);
  enum class Thread : std::uint8_t { OfConnections, OfLongRequests };
  void readMessage(Exchange exchange, HttpReplyForm form, Thread thread);
  void beside(Exchange exchange, LongRequests::Job job, std::string name = {});
  void request(Exchange exchange, Message message, HttpReplyForm form);
  void inSession(Exchange exchange, Message message, HttpReplyForm form);
  void alone(Exchange exchange, Message message, HttpReplyForm form);
  void openSession(Exchange exchange, Message message, HttpReplyForm form);
  void notification(Exchange exchange, Message message, HttpFields fields,
                    const std::string &owner);
  void get(Exchange exchange, HttpFields fields, const PrincipalPointer &principal);
  void endSession(Exchange exchange, HttpFields fields, const std::string &owner);
  std::shared_ptr<HttpSession> sessionOf(const HttpRequest &asked, const std::string &owner);
  void refuseStopping(Exchange exchange);
  void refuse(Exchange exchange, int status, int code, std::string_view words,
              HttpFields fields = {}, std::string_view id = "null", std::string_view data = {});

  const std::shared_ptr<Services> services_;
  const HttpRules rules_;
  const std::shared_ptr<const HttpAuthFilter> authFilter_;
  SessionTable sessions_;
  LongRequests longRequests_;
  std::atomic<bool> closed_{false};
};

void McpEndpoint::Implementation::refuse(Exchange exchange, int status, int code,
                                         std::string_view words, HttpFields fields,
                                         std::string_view id, std::string_view data) {
  const HttpRequest &asked = exchange->request();
  log::refused(LogLevel::Info, "http", networkOf(asked.peer),
               std::string(cutUtf8(asked.method, 20)) + ' ' +
                   std::string(cutUtf8(asked.path, 100)) + ": " + std::to_string(status) + ' ' +
                   std::string(cutUtf8(words, 300)) + ' ' + originOf(asked));
  exchange->respond(
      {status, "application/json", std::move(fields), errorMessage(id, code, words, data)});
}

// The one that the request names; a request that names two is of none.
std::shared_ptr<HttpSession> McpEndpoint::Implementation::sessionOf(const HttpRequest &asked,
                                                                    const std::string &owner) {
  if (asked.count(sessionField) != 1) return nullptr;
  return sessions_.find(*asked.field(sessionField), owner);
}

void McpEndpoint::Implementation::refuseStopping(Exchange exchange) {
  refuse(exchange, 503, describe(Fault::Unavailable).jsonRpc, "the server is stopping",
         {{"Retry-After", "1"}});
}

void McpEndpoint::Implementation::handle(Exchange exchange) {
  const HttpRequest &asked = exchange->request();
  const int denied = describe(Fault::Denied).jsonRpc, invalid = invalidRequest();
  if (closed_) return refuseStopping(exchange);
  if (const std::string foreign = foreignOrigin(asked, rules_); !foreign.empty())
    return refuse(exchange, 403, denied, foreign);
  HttpFields fields;
  allowReading(asked, fields);
  if (asked.method == "POST" || asked.method == "GET" || asked.method == "DELETE")
    return authFilter_->admit(
        exchange, fields,
        [self = shared_from_this(), exchange, fields](const PrincipalPointer &principal) {
          self->admitted(exchange, fields, principal);
        });
  fields.emplace_back("Allow", "POST, GET, DELETE, OPTIONS");
  if (asked.method != "OPTIONS")
    return refuse(exchange, 405, invalid, "this method is not for this path", std::move(fields));
  allowAsking(asked, fields);
  exchange->respond({204, {}, std::move(fields), {}});
}

void McpEndpoint::Implementation::admitted(Exchange exchange, HttpFields fields,
                                           const PrincipalPointer &principal) {
  const std::string_view method = exchange->request().method;
  if (closed_) return refuseStopping(exchange);
  if (method == "POST") return post(exchange, std::move(fields), principal);
  const std::string owner = HttpAuthFilter::ownerOf(principal);
  if (method == "GET" && authFilter_->forbid(*exchange, principal, Need::Read)) return;
  if (method == "GET")
    get(exchange, std::move(fields), principal);
  else
    endSession(exchange, std::move(fields), owner);
}

void McpEndpoint::Implementation::guard(Exchange exchange, Need need, const Admitted &admitted,
                                        const std::function<void()> &otherwise) {
  if (const std::string foreign = foreignOrigin(exchange->request(), rules_); !foreign.empty())
    return otherwise ? otherwise()
                     : refuse(exchange, 403, describe(Fault::Denied).jsonRpc, foreign);
  if (need == Need::Nothing) return admitted(nullptr);
  authFilter_->admit(
      exchange, {},
      [self = shared_from_this(), exchange, need, admitted,
       otherwise](const PrincipalPointer &who) {
        if (!self->authFilter_->forbid(*exchange, who, need, otherwise)) admitted(who);
      },
      otherwise);
}

void McpEndpoint::Implementation::post(Exchange exchange, HttpFields fields,
                                       const PrincipalPointer &principal) {
  const HttpRequest &asked = exchange->request();
  if (mediaTypeOf(asked.field("content-type").value_or("")) != "application/json")
    return refuse(exchange, 415, invalidRequest(), "the Content-Type must be application/json",
                  std::move(fields));
  HttpReplyForm form;
  if (const auto accept = asked.field("accept")) {
    form.json = accepts(*accept, "application/json");
    form.stream = accepts(*accept, "text/event-stream");
    if (!form.json && !form.stream)
      return refuse(exchange, 406, invalidRequest(),
                    "Accept must take application/json or text/event-stream", std::move(fields));
  }
  form.principal = principal;
  form.access = services_->access;
  form.further = std::move(fields);
  form.primed = versionOf(asked) >= firstPrimedVersion;
  form.origin = originOf(asked);
  if (principal) appendJsonString(form.origin += " for ", cutUtf8(principal->subject, 100));
  exchange->readBody([self = shared_from_this(), exchange, form = std::move(form)]() mutable {
    self->bodyCame(exchange, std::move(form));
  });
}

void McpEndpoint::Implementation::bodyCame(Exchange exchange, HttpReplyForm form) {
  if (closed_) return refuseStopping(exchange);
  if (exchange->request().body.size() <= largestAtOnce)
    return readMessage(exchange, std::move(form), Thread::OfConnections);
  beside(exchange, [self = shared_from_this(), exchange, form = std::move(form)]() mutable {
    self->readMessage(exchange, std::move(form), Thread::OfLongRequests);
  });
}

// What nobody else is to wait for.
void McpEndpoint::Implementation::beside(Exchange exchange, LongRequests::Job job,
                                         std::string name) {
  if (const std::string_view why = longRequests_.add(exchange, std::move(job), std::move(name));
      !why.empty())
    refuse(exchange, 503, describe(Fault::Unavailable).jsonRpc, why, {{"Retry-After", "1"}});
}

void McpEndpoint::Implementation::readMessage(Exchange exchange, HttpReplyForm form,
                                              Thread thread) {
  const HttpRequest &asked = exchange->request();
  if (closed_) return refuseStopping(exchange);
  ParsedMessage parsed = parseMessage(asked.body, messageValues(services_->settings.limits));
  if (!parsed.message) {
    const FaultInfo &info = describe(parsed.refusal.failure.fault);
    return refuse(exchange, 400, info.jsonRpc, parsed.refusal.failure.message,
                  std::move(form.further), parsed.refusal.id);
  }
  Message &message = *parsed.message;
  const bool isRequest = message.kind == Message::Kind::Request;
  const std::variant<ProtocolFamily, FamilyRefusal> family = familyOf(asked, message);
  if (auto wrong = disagreement(asked, message, family))
    return refuse(exchange, wrong->status, wrong->error.code, wrong->error.words,
                  std::move(form.further), isRequest ? message.id : "null", wrong->error.data);
  if (!isRequest)
    return notification(exchange, std::move(message), std::move(form.further),
                        HttpAuthFilter::ownerOf(form.principal));
  if (authFilter_->forbid(*exchange, form.further, form.principal, message)) return;
  if (const auto *why = std::get_if<FamilyRefusal>(&family))
    return refuse(exchange, 400, why->code, why->words, std::move(form.further), message.id,
                  why->data);
  form.family = std::get<ProtocolFamily>(family);
  if (const auto wrong = mirrorDisagreement(*services_, asked, message, form))
    return refuse(exchange, wrong->status, wrong->error.code, wrong->error.words,
                  std::move(form.further), message.id);
  const bool here = thread == Thread::OfLongRequests ||
                    !isLong(message, services_->library.catalogue()->entries().size());
  if (here) return request(exchange, std::move(message), std::move(form));
  auto job = [self = shared_from_this(), exchange, message, form]() mutable {
    self->request(exchange, std::move(message), std::move(form));
  };
  const std::string owner = HttpAuthFilter::ownerOf(form.principal);
  beside(exchange, std::move(job), LongRequests::name(asked, owner, message.id));
}

void McpEndpoint::Implementation::request(Exchange exchange, Message message, HttpReplyForm form) {
  if (form.family == ProtocolFamily::Modern)
    return alone(exchange, std::move(message), std::move(form));
  if (message.method == "initialize")
    return openSession(exchange, std::move(message), std::move(form));
  if (exchange->request().field(sessionField))
    return inSession(exchange, std::move(message), std::move(form));
  alone(exchange, std::move(message), std::move(form));
}

// A request that belongs to no session brings one of its own, which ends with it.
void McpEndpoint::Implementation::alone(Exchange exchange, Message message, HttpReplyForm form) {
  forgetUnlessWatched(*exchange, services_->access, message.method);
  const auto session = std::make_shared<ClientSession>(
      services_, [](const Fragments &) {}, ClientSession::Client::OneRequest,
      networkOf(exchange->request().peer));
  const ProtocolFamily family = form.family;
  session->request(std::move(message),
                   std::make_shared<HttpReply>(exchange, std::move(form), nullptr), family);
  if (session->idle()) return; // answered at once: nothing is left to be given up
  exchange->whenGone([weak = std::weak_ptr(session)] {
    if (const auto left = weak.lock()) left->close();
  });
}

void McpEndpoint::Implementation::openSession(Exchange exchange, Message message,
                                              HttpReplyForm form) {
  forgetUnlessWatched(*exchange, services_->access, message.method);
  // 128 bits that nobody can guess: the id lets its holder read what is meant for the client.
  const std::string owner = HttpAuthFilter::ownerOf(form.principal),
                    network = networkOf(exchange->request().peer);
  const auto session = std::make_shared<HttpSession>(randomHex(16), owner, rules_.kept,
                                                     audienceOf(services_->access, form.principal),
                                                     sessions_.shareOf(owner, network));
  session->serve(std::make_shared<ClientSession>(
      services_, [standing = session->standing()](const Fragments &told) { standing->send(told); },
      ClientSession::Client::OneOfMany, network));
  session->client().seenBy(form.principal); // until somebody listens
  std::string origin = form.origin;
  PrincipalPointer principal = form.principal;
  // Only a client that it has agreed with has a session: a failure costs the others nothing.
  auto answer = [self = shared_from_this(), exchange, session, id = message.id,
                 form = std::move(form)](Fragments text, int errorCode) mutable {
    if (errorCode == 0) {
      if (!self->sessions_.add(session))
        return self->refuse(exchange, 503, describe(Fault::Unavailable).jsonRpc,
                            "too many sessions", {{"Retry-After", "60"}}, id);
      form.further.emplace_back("Mcp-Session-Id", session->id());
    }
    HttpReply(exchange, std::move(form), nullptr).answer(std::move(text), errorCode);
  };
  session->client().request(
      std::move(message),
      std::make_shared<OpeningReply>(std::move(answer), std::move(origin), std::move(principal)),
      ProtocolFamily::Legacy);
}

void McpEndpoint::Implementation::inSession(Exchange exchange, Message message,
                                            HttpReplyForm form) {
  const HttpRequest &asked = exchange->request();
  const auto session = sessionOf(asked, HttpAuthFilter::ownerOf(form.principal));
  if (!session)
    return refuse(exchange, 404, invalidRequest(), noSession, std::move(form.further), message.id);
  forgetUnlessWatched(*exchange, services_->access, message.method);
  form.audience = audienceOf(services_->access, form.principal);
  form.audience.manages = needOf(message.method, message.params) == Need::Manage;
  // A client that goes has not cancelled: it may come back for the rest (Last-Event-ID).
  session->client().request(std::move(message),
                            std::make_shared<HttpReply>(exchange, std::move(form), session),
                            ProtocolFamily::Legacy);
}

void McpEndpoint::Implementation::notification(Exchange exchange, Message message,
                                               HttpFields fields, const std::string &owner) {
  const HttpRequest &asked = exchange->request();
  if (asked.field(sessionField)) {
    const auto session = sessionOf(asked, owner);
    if (!session) return refuse(exchange, 404, invalidRequest(), noSession, std::move(fields));
    longRequests_.cancel(LongRequests::name(asked, owner, cancelledId(message)));
    session->client().accept(std::move(message), nullptr);
  }
  exchange->respond({202, {}, std::move(fields), {}});
}

void McpEndpoint::Implementation::get(Exchange exchange, HttpFields fields,
                                      const PrincipalPointer &principal) {
  const HttpRequest &asked = exchange->request();
  const auto id = asked.field(sessionField);
  const auto accept = asked.field("accept").value_or(std::string_view{});
  if (!id || !accepts(accept, "text/event-stream")) {
    fields.emplace_back("Allow", "POST");
    return refuse(exchange, 405, invalidRequest(),
                  "GET is for the event stream of a session: it needs Mcp-Session-Id and Accept: "
                  "text/event-stream",
                  std::move(fields));
  }
  const auto session = sessionOf(asked, HttpAuthFilter::ownerOf(principal));
  if (!session) return refuse(exchange, 404, invalidRequest(), noSession, std::move(fields));
  const bool primed = versionOf(asked) >= firstPrimedVersion;
  const Audience who = audienceOf(services_->access, principal);
  const auto last = asked.field("last-event-id");
  const auto event = last ? readEventId(*last) : EventId{};
  const auto stream = event ? session->stream(event->stream) : nullptr;
  const auto after = last && event ? std::optional(event->sequence) : std::nullopt;
  HeldCredential credential = credentialOf(asked, services_->access);
  forgetCredentials(*exchange, services_->access);
  // What is kept for somebody who sees or may do other things is no more there than what is gone.
  const bool isStanding = stream && stream == session->standing();
  const bool isForgotten = isStanding && !stream->keptFor(who);
  if (!stream || !stream->attach(exchange, fields, after, primed, who))
    return refuse(exchange, 404, invalidRequest(), "there is no such event to go on from",
                  std::move(fields));
  // From now on it is told what this one may see.
  if (isStanding) session->client().seenBy(principal);
  // What it has not heard may have been that its lists are others.
  if (isForgotten) session->client().tellAllLists();
  if (services_->access == nullptr) return;
  stream->keep(exchange, services_->access->watch(
                             std::move(credential), principal,
                             [weak = std::weak_ptr(stream), gone = std::weak_ptr(exchange)] {
                               const auto open = weak.lock();
                               if (open) open->detach(gone.lock());
                             }));
}

void McpEndpoint::Implementation::endSession(Exchange exchange, HttpFields fields,
                                             const std::string &owner) {
  const auto id = exchange->request().field(sessionField);
  if (!sessionOf(exchange->request(), owner) || !sessions_.end(*id, owner))
    return refuse(exchange, id ? 404 : 400, invalidRequest(),
                  id ? "there is no such session" : "DELETE needs Mcp-Session-Id",
                  std::move(fields));
  exchange->respond({204, {}, std::move(fields), {}});
}

void McpEndpoint::Implementation::sweepLater() {
  services_->timer.after(sessions_.sweepAfter(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->sessions_.sweep();
    self->sweepLater();
  });
}

void McpEndpoint::Implementation::close() {
  closed_ = true;
  for (const auto &session : sessions_.all()) session->standing()->finish();
  for (const auto &session : services_->listeners.open()) session->endSubscriptions();
}

void McpEndpoint::Implementation::end() {
  close();
  longRequests_.end();
  sessions_.endAll();
}

McpEndpoint::McpEndpoint(Server &server, HttpRules rules)
    : implementation_(std::make_shared<Implementation>(server.services_, std::move(rules))) {
  implementation_->sweepLater();
}
McpEndpoint::~McpEndpoint() { implementation_->end(); }

void McpEndpoint::handle(const std::shared_ptr<HttpExchange> &exchange) {
  implementation_->handle(exchange);
}
void McpEndpoint::guard(const std::shared_ptr<HttpExchange> &exchange, Need need,
                        const Admitted &admitted, const std::function<void()> &otherwise) {
  implementation_->guard(exchange, need, admitted, otherwise);
}
void McpEndpoint::close() { implementation_->close(); }

} // namespace skillhost
