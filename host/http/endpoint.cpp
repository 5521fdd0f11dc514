// SPDX-License-Identifier: Apache-2.0
#include "endpoint.hpp"

#include "base/log.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mirrored_tool_fields.hpp"
#include "net/allowed_origin.hpp"
#include "rpc/cross_origin.hpp"
#include "rpc/long_message.hpp"
#include "rpc/message_headers.hpp"
#include "stored_credential.hpp"

#include <new>
#include <utility>

namespace skillhost {
namespace {

// Longer messages are parsed on the thread of long requests, so that they do not delay other
// connections.
constexpr std::size_t maxInlineBytes = 16U << 10U;

} // namespace

std::shared_ptr<McpEndpoint::Implementation>
McpEndpoint::Implementation::make(std::shared_ptr<Services> services, HttpRules rules) {
  const std::shared_ptr<Implementation> made(
      new Implementation(std::move(services), std::move(rules)));
  made->beginSessions();
  made->scheduleSessionSweep();
  return made;
}

void McpEndpoint::Implementation::refuse(ExchangeRef exchange, int status, int code,
                                         std::string_view words, HttpFields fields,
                                         std::string_view id, std::string_view data) {
  const HttpRequest &request = exchange->request();
  log::refused(LogLevel::Info, "http", networkOf(request.peer),
               std::string(cutUtf8(request.method, 20)) + ' ' +
                   std::string(cutUtf8(request.path, 100)) + ": " + std::to_string(status) + ' ' +
                   std::string(cutUtf8(words, 300)) + ' ' + originText(requestOriginOf(request)));
  exchange->respond(
      {status, "application/json", std::move(fields), errorMessage(id, code, words, data)});
}

void McpEndpoint::Implementation::refuseWhileStopping(ExchangeRef exchange) {
  refuse(exchange, 503, describe(Fault::Unavailable).jsonRpc, "the server is stopping",
         {{"Retry-After", "1"}});
}

void McpEndpoint::Implementation::handle(ExchangeRef exchange) {
  const HttpRequest &request = exchange->request();
  const int denied = describe(Fault::Denied).jsonRpc, invalid = invalidRequest();
  if (closed_) return refuseWhileStopping(exchange);
  if (const std::string foreign = foreignOrigin(request, rules_); !foreign.empty())
    return refuse(exchange, 403, denied, foreign);
  HttpFields fields;
  addCorsFields(request, fields);
  if (request.method == "POST" || request.method == "GET" || request.method == "DELETE")
    return authFilter_->admit(
        exchange, fields,
        [self = shared_from_this(), exchange, fields](const PrincipalPointer &principal) {
          self->handleAdmitted(exchange, fields, principal);
        });
  fields.emplace_back("Allow", "POST, GET, DELETE, OPTIONS");
  if (request.method != "OPTIONS")
    return refuse(exchange, 405, invalid, "this path has no such method", std::move(fields));
  addCorsPreflightFields(request, fields);
  exchange->respond({204, {}, std::move(fields), {}});
}

void McpEndpoint::Implementation::handleAdmitted(ExchangeRef exchange, HttpFields fields,
                                                 const PrincipalPointer &principal) {
  const std::string_view method = exchange->request().method;
  if (closed_) return refuseWhileStopping(exchange);
  if (method == "POST") return post(exchange, std::move(fields), principal);
  if (method == "GET" && authFilter_->refuseUnless(*exchange, principal, Permission::Read)) return;
  if (method == "GET")
    get(exchange, std::move(fields), principal);
  else
    endSession(exchange, std::move(fields), principal);
}

void McpEndpoint::Implementation::admit(ExchangeRef exchange, Permission need,
                                        const OnAdmitted &onAdmitted, const OnRefused &onRefused) {
  if (const std::string foreign = foreignOrigin(exchange->request(), rules_); !foreign.empty())
    return onRefused ? onRefused()
                     : refuse(exchange, 403, describe(Fault::Denied).jsonRpc, foreign);
  if (need == Permission::Nothing) return onAdmitted(nullptr);
  authFilter_->admit(
      exchange, {},
      [self = shared_from_this(), exchange, need, onAdmitted, onRefused](const auto &who) {
        if (!self->authFilter_->refuseUnless(*exchange, who, need, onRefused)) onAdmitted(who);
      },
      onRefused);
}

void McpEndpoint::Implementation::post(ExchangeRef exchange, HttpFields fields,
                                       const PrincipalPointer &principal) {
  const HttpRequest &request = exchange->request();
  constexpr std::string_view json = "application/json";
  const std::string_view type = request.field("content-type").value_or("");
  if (type != json && mediaTypeOf(type) != json)
    return refuse(exchange, 415, invalidRequest(), "the Content-Type must be application/json",
                  std::move(fields));
  HttpReplyForm form;
  if (const auto accept = request.field("accept")) {
    form.acceptsJson = accepts(*accept, "application/json");
    form.acceptsStream = accepts(*accept, "text/event-stream");
    if (!form.acceptsJson && !form.acceptsStream)
      return refuse(exchange, 406, invalidRequest(),
                    "Accept must include application/json or text/event-stream", std::move(fields));
  }
  form.principal = principal;
  form.access = services_->access;
  form.fields = std::move(fields);
  form.withPrimingEvent = versionOf(request) >= firstVersionWithPrimingEvent;
  form.requestOrigin = requestOriginOf(request);
  form.origin = originText(form.requestOrigin);
  if (principal) appendJsonString(form.origin += " for ", cutUtf8(principal->subject, 100));
  exchange->readBody([self = shared_from_this(), exchange, form = std::move(form)]() mutable {
    self->onBodyRead(exchange, std::move(form));
  });
}

void McpEndpoint::Implementation::onBodyRead(ExchangeRef exchange, HttpReplyForm &&form) {
  if (closed_) return refuseWhileStopping(exchange);
  if (exchange->request().body.size() <= maxInlineBytes)
    return dispatchOrRefuse(exchange, std::move(form));
  const auto gone = std::make_shared<std::atomic<bool>>(false);
  exchange->whenGone([gone] { *gone = true; });
  auto job = [self = shared_from_this(), exchange, gone, form = std::move(form)]() mutable {
    if (!*gone) self->dispatchOrRefuse(exchange, std::move(form));
  };
  const std::string_view why =
      services_->longRequests.add(networkOf(exchange->request().peer), std::move(job));
  if (!why.empty())
    refuse(exchange, 503, describe(Fault::Unavailable).jsonRpc, why, {{"Retry-After", "1"}});
}

void McpEndpoint::Implementation::dispatchOrRefuse(ExchangeRef exchange, HttpReplyForm &&form) try {
  parseAndDispatch(exchange, std::move(form));
} catch (const std::bad_alloc &why) {
  // The parsed message is destroyed by now, so there is memory for an answer.
  log::failure("http", {"a message could not be read"}, why);
  LongMessage message;
  message.add(exchange->request().body);
  refuse(exchange, 503, describe(Fault::MemoryPressure).jsonRpc, shortOfMemory,
         {{"Retry-After", "1"}}, message.id());
}

// Refuses, in this order: malformed JSON-RPC, header fields that contradict the message, a missing
// permission, an unknown revision, and mirrored fields that contradict the arguments.
void McpEndpoint::Implementation::parseAndDispatch(ExchangeRef exchange, HttpReplyForm &&form) {
  const HttpRequest &request = exchange->request();
  if (closed_) return refuseWhileStopping(exchange);
  ParsedMessage parsed = parseMessage(request.body, maxMessageValues(services_->settings.limits));
  if (!parsed.message) {
    const FaultInfo &info = describe(parsed.refusal.failure.fault);
    return refuse(exchange, 400, info.jsonRpc, parsed.refusal.failure.message,
                  std::move(form.fields), parsed.refusal.id);
  }
  Message &message = *parsed.message;
  const bool isRequest = message.kind == Message::Kind::Request;
  const std::variant<ProtocolFamily, FamilyRefusal> family = familyOf(request, message);
  if (auto wrong = findHeaderMismatch(request, message, family))
    return refuse(exchange, wrong->status, wrong->error.code, wrong->error.words,
                  std::move(form.fields), isRequest ? message.id : "null", wrong->error.data);
  if (!isRequest)
    return handleNotification(exchange, std::move(message), std::move(form.fields), form.principal);
  form.needed = neededPermission(*services_, form.principal, message.method, message.params);
  if (authFilter_->refuseUnless(*exchange, form.fields, form.principal, form.needed, message))
    return;
  if (const auto *why = std::get_if<FamilyRefusal>(&family))
    return refuse(exchange, 400, why->code, why->words, std::move(form.fields), message.id,
                  why->data);
  form.family = std::get<ProtocolFamily>(family);
  if (const auto wrong = findMirrorMismatch(*services_, request, message, form))
    return refuse(exchange, wrong->status, wrong->error.code, wrong->error.words,
                  std::move(form.fields), message.id);
  const bool isLegacy = form.family == ProtocolFamily::Legacy;
  if (isLegacy && message.method == "initialize")
    return openSession(exchange, std::move(message), std::move(form));
  if (!isLegacy || !request.field(sessionField))
    return handleWithoutSession(exchange, std::move(message), std::move(form));
  forgetUnlessSubscription(*exchange, services_->access, message.method);
  const PrincipalPointer principal = form.principal;
  withSession(
      exchange, principal,
      [self = shared_from_this(), exchange, message = std::move(message),
       form = std::move(form)](const SessionPointer &session, NoSessionReason reason) mutable {
        if (!session)
          return self->refuseMissingSession(exchange, reason, std::move(form.fields), message.id);
        self->handleInSession(exchange, std::move(message), std::move(form), session);
      });
}

// A request without a session gets a client session of its own, which ends with it.
void McpEndpoint::Implementation::handleWithoutSession(ExchangeRef exchange, Message message,
                                                       HttpReplyForm &&form) {
  forgetUnlessSubscription(*exchange, services_->access, message.method);
  const auto session = std::make_shared<ClientSession>(
      services_, [](const Fragments &) {}, ClientSession::Client::OneRequest,
      networkOf(exchange->request().peer));
  const ProtocolFamily family = form.family;
  session->request(std::move(message),
                   std::make_shared<HttpReply>(exchange, std::move(form), nullptr), family);
  if (session->idle()) return; // answered at once: there is nothing to cancel
  exchange->whenGone([weak = std::weak_ptr(session)] {
    if (const auto left = weak.lock()) left->close();
  });
}

void McpEndpoint::Implementation::close() {
  closed_ = true;
  for (const auto &session : sessions_->table().all()) session->standaloneStream()->finish();
  for (const auto &session : services_->listeners.open()) session->endSubscriptions();
}

void McpEndpoint::Implementation::end() {
  close();
  services_->longRequests.end();
  sessions_->table().endAll();
}

McpEndpoint::McpEndpoint(Server &server, HttpRules rules)
    : implementation_(Implementation::make(server.services_, std::move(rules))) {}
McpEndpoint::~McpEndpoint() { implementation_->end(); }

void McpEndpoint::handle(const std::shared_ptr<HttpExchange> &exchange) {
  implementation_->handle(exchange);
}
void McpEndpoint::admit(const std::shared_ptr<HttpExchange> &exchange, Permission need,
                        const OnAdmitted &onAdmitted, const OnRefused &onRefused) {
  implementation_->admit(exchange, need, onAdmitted, onRefused);
}
void McpEndpoint::close() { implementation_->close(); }

} // namespace skillhost
