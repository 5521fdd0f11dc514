// SPDX-License-Identifier: Apache-2.0
// Handles requests that belong to a session, which only the legacy family has.
#include "endpoint.hpp"
#include "mcp/client_session.hpp"
#include "opening_reply.hpp"
#include "rpc/message_headers.hpp"
#include "stored_credential.hpp"

#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view noSession = "there is no such session: initialize again";
constexpr std::string_view noEvent = "the stream cannot resume: this event is not stored";

int codeOfAway() { return describe(Fault::Unavailable).jsonRpc; }

} // namespace

void McpEndpoint::Implementation::beginSessions() {
  sessions_ = SessionStore::make(
      services_->shared, SessionRules{rules_.maxSessions, rules_.sessionIdle, rules_.sessionMaxAge},
      rules_.sessionKey,
      [weak = weak_from_this()](const SessionRequester &requester,
                                std::unique_ptr<SessionCopy> copy) {
        const auto self = weak.lock();
        return self ? self->newSession(requester, std::move(copy)) : nullptr;
      });
}

std::shared_ptr<HttpSession>
McpEndpoint::Implementation::newSession(const SessionRequester &requester,
                                        std::unique_ptr<SessionCopy> copy) {
  const auto makeClient = [&](const std::shared_ptr<HttpSession> &made) {
    return std::make_shared<ClientSession>(
        services_,
        [weak = std::weak_ptr(made)](const Fragments &message) {
          if (const auto own = weak.lock()) SessionStore::sendIfListening(*own, message);
        },
        ClientSession::Client::OneOfMany, requester.network, made->room(),
        sessions_->questionNames(made->copy().name), sessions_->notesOf(made));
  };
  auto session = HttpSession::make(requester.owner, rules_.maxKeptEvents,
                                   streamAudienceOf(services_->access, requester.principal),
                                   sessions_->table().shareOf(requester.owner, requester.network),
                                   std::move(copy), makeClient);
  session->client().seenBy(requester.principal); // until a client listens
  return session;
}

// A request that names two sessions belongs to none.
void McpEndpoint::Implementation::withSession(ExchangeRef exchange,
                                              const PrincipalPointer &principal,
                                              SessionStore::FindCallback then) {
  const HttpRequest &asked = exchange->request();
  if (asked.count(sessionField) != 1) return then(nullptr, NoSessionReason::Absent);
  sessions_->find(std::string(*asked.field(sessionField)),
                  {HttpAuthFilter::ownerOf(principal), networkOf(asked.peer), principal},
                  [self = shared_from_this(), exchange,
                   then = std::move(then)](const SessionPointer &session, NoSessionReason reason) {
                    if (self->closed_) return self->refuseWhileStopping(exchange);
                    then(session, reason);
                  });
}

void McpEndpoint::Implementation::refuseMissingSession(ExchangeRef exchange, NoSessionReason reason,
                                                       HttpFields fields, std::string_view id) {
  if (reason == NoSessionReason::Absent)
    return refuse(exchange, 404, invalidRequest(), noSession, std::move(fields), id);
  if (reason == NoSessionReason::Stopping) return refuseWhileStopping(exchange);
  fields.emplace_back("Retry-After", "60");
  refuse(exchange, 503, codeOfAway(), "too many sessions", std::move(fields), id);
}

void McpEndpoint::Implementation::openSession(ExchangeRef exchange, Message &&message,
                                              HttpReplyForm &&form) {
  forgetUnlessSubscription(*exchange, services_->access, message.method);
  const auto session = sessions_->prepare({HttpAuthFilter::ownerOf(form.principal),
                                           networkOf(exchange->request().peer), form.principal});
  std::string origin = form.origin;
  RequestOrigin request = form.requestOrigin;
  PrincipalPointer principal = form.principal;
  // The session is added only after the handshake succeeded, so a failed one takes no other
  // session's place.
  auto answer = [self = shared_from_this(), exchange, session, id = message.id,
                 form = std::move(form)](Fragments text, int errorCode) mutable {
    if (errorCode == 0) {
      if (!self->sessions_->add(session))
        return self->refuse(exchange, 503, codeOfAway(), "too many sessions",
                            {{"Retry-After", "60"}}, id);
      form.fields.emplace_back("Mcp-Session-Id", session->id());
    }
    const auto reply = std::make_shared<HttpReply>(exchange, std::move(form), nullptr);
    reply->answer(std::move(text), errorCode);
  };
  session->client().request(std::move(message),
                            std::make_shared<OpeningReply>(std::move(answer), std::move(origin),
                                                           std::move(request),
                                                           std::move(principal)),
                            ProtocolFamily::Legacy);
}

void McpEndpoint::Implementation::handleInSession(ExchangeRef exchange, Message &&message,
                                                  HttpReplyForm &&form,
                                                  const SessionPointer &session) {
  forgetUnlessSubscription(*exchange, services_->access, message.method);
  form.audience = streamAudienceOf(services_->access, form.principal);
  form.audience.manages = form.needed == Permission::Manage || form.needed == Permission::Review;
  // A client that disconnects has not cancelled: it may resume the stream (Last-Event-ID).
  const auto reply = sessions_->replyWhenSaved(
      session, std::make_shared<HttpReply>(exchange, std::move(form), session));
  session->client().request(std::move(message), reply, ProtocolFamily::Legacy);
}

void McpEndpoint::Implementation::handleNotification(ExchangeRef exchange, Message message,
                                                     HttpFields fields,
                                                     const PrincipalPointer &principal) {
  if (!exchange->request().field(sessionField))
    return exchange->respond({202, {}, std::move(fields), {}});
  withSession(
      exchange, principal,
      [self = shared_from_this(), exchange, message = std::move(message),
       fields = std::move(fields)](const SessionPointer &session, NoSessionReason reason) mutable {
        if (!session) return self->refuseMissingSession(exchange, reason, std::move(fields));
        self->deliverToSession(exchange, std::move(message), std::move(fields), session);
      });
}

void McpEndpoint::Implementation::deliverToSession(ExchangeRef exchange, Message message,
                                                   HttpFields fields,
                                                   const SessionPointer &session) {
  const auto delivery = sessions_->deliver(*session, std::move(message));
  if (delivery != SessionStore::Delivery::Taken)
    return refuseUndelivered(exchange, delivery, std::move(fields));
  exchange->respond({202, {}, std::move(fields), {}});
}

void McpEndpoint::Implementation::refuseUndelivered(ExchangeRef exchange,
                                                    SessionStore::Delivery why, HttpFields fields) {
  if (why == SessionStore::Delivery::TooLarge)
    return refuse(exchange, 413, invalidRequest(),
                  "this answer is too large to reach the replica that waits for it",
                  std::move(fields));
  const bool isUnreachable = why == SessionStore::Delivery::Unreachable;
  fields.emplace_back("Retry-After", isUnreachable ? "2" : "1");
  if (isUnreachable)
    return refuse(exchange, 503, codeOfAway(),
                  "another replica holds the request that this message is about, and the shared "
                  "state cannot be reached: send it again",
                  std::move(fields));
  const FaultInfo &info = describe(Fault::RateLimited);
  refuse(exchange, info.http, info.jsonRpc,
         "this session sends too many messages to other replicas", std::move(fields));
}

void McpEndpoint::Implementation::get(ExchangeRef exchange, HttpFields fields,
                                      const PrincipalPointer &principal) {
  const HttpRequest &asked = exchange->request();
  const auto accept = asked.field("accept").value_or(std::string_view{});
  if (!asked.field(sessionField) || !accepts(accept, "text/event-stream")) {
    fields.emplace_back("Allow", "POST");
    return refuse(exchange, 405, invalidRequest(),
                  "GET is for the event stream of a session: it needs Mcp-Session-Id and Accept: "
                  "text/event-stream",
                  std::move(fields));
  }
  const auto credential =
      std::make_shared<StoredCredential>(copyCredential(asked, services_->access));
  forgetCredentials(*exchange, services_->access);
  withSession(exchange, principal,
              [self = shared_from_this(), exchange, fields = std::move(fields), principal,
               credential](const SessionPointer &session, NoSessionReason reason) mutable {
                if (!session)
                  return self->refuseMissingSession(exchange, reason, std::move(fields));
                self->listen(exchange, std::move(fields), principal, std::move(*credential),
                             session);
              });
}

void McpEndpoint::Implementation::listen(ExchangeRef exchange, HttpFields fields,
                                         const PrincipalPointer &principal,
                                         StoredCredential credential,
                                         const SessionPointer &session) {
  const HttpRequest &asked = exchange->request();
  const bool withPrimingEvent = versionOf(asked) >= firstVersionWithPrimingEvent;
  const StreamAudience who = streamAudienceOf(services_->access, principal);
  const auto last = asked.field("last-event-id");
  const auto event = last ? readEventId(*last) : std::nullopt;
  // The event belongs to another replica, or to this one before a restart. The messages after it
  // are not available here, but each list can be announced as changed.
  const bool isForeign = last && (!event || event->copyName != session->copyName());
  const bool isOwn = event && !isForeign;
  // The client asks for the rest of a request that runs at another replica, and it listens here
  // already. Attaching this exchange would close the stream that it has.
  if (isForeign && event && event->stream != HttpSession::standaloneNumber &&
      session->standaloneStream()->isAttached())
    return refuse(exchange, 404, invalidRequest(), noEvent, std::move(fields));
  const auto stream = isOwn ? session->stream(event->stream) : session->standaloneStream();
  const auto after = isOwn ? std::optional(event->sequence) : std::nullopt;
  // Messages that were kept for a caller with other permissions are as unavailable as those that
  // were dropped.
  const bool isStandalone = stream && stream == session->standaloneStream();
  const bool isForgotten = isStandalone && !stream->mayReceiveKept(who);
  if (!stream || !stream->attach(exchange, fields, after, withPrimingEvent, who))
    return refuse(exchange, 404, invalidRequest(), noEvent, std::move(fields));
  // From now on the session announces what this principal may see.
  if (isStandalone) session->client().seenBy(principal);
  // Another replica may have received the notification that the client is initialized.
  if (isStandalone) session->client().becomeReady();
  const bool isMoved = isStandalone && sessions_->listen(session);
  const bool wasMissed = isForeign || isMoved;
  // The client may have missed a notification that its lists changed.
  if (isForgotten || wasMissed) session->client().notifyAllLists();
  if (wasMissed) session->client().notifyAllResources();
  if (services_->access == nullptr) return;
  WatchPointer watch =
      services_->access->watch(std::move(credential), principal,
                               [weak = std::weak_ptr(stream), gone = std::weak_ptr(exchange)] {
                                 if (const auto open = weak.lock()) open->detach(gone.lock());
                               });
  stream->hold(exchange, std::move(watch));
}

void McpEndpoint::Implementation::endSession(ExchangeRef exchange, HttpFields fields,
                                             const PrincipalPointer &principal) {
  if (!exchange->request().field(sessionField))
    return refuse(exchange, 400, invalidRequest(), "DELETE needs Mcp-Session-Id",
                  std::move(fields));
  withSession(exchange, principal,
              [self = shared_from_this(), exchange, fields = std::move(fields)](
                  const SessionPointer &session, NoSessionReason reason) mutable {
                if (!session)
                  return self->refuseMissingSession(exchange, reason, std::move(fields));
                self->sessions_->end(session, [self, exchange, fields](SessionStore::End end) {
                  if (end == SessionStore::End::Done)
                    return exchange->respond({204, {}, fields, {}});
                  self->refuseToEndSession(exchange, end, fields);
                });
              });
}

void McpEndpoint::Implementation::refuseToEndSession(ExchangeRef exchange, SessionStore::End end,
                                                     HttpFields fields) {
  const bool isUnreachable = end == SessionStore::End::Unreachable;
  fields.emplace_back("Retry-After", isUnreachable ? "2" : "60");
  refuse(exchange, 503, codeOfAway(),
         isUnreachable
             ? "the session has not ended, because the shared state cannot be reached: send "
               "DELETE again"
             : "the session has not ended, because the server already remembers too many ended "
               "sessions: send DELETE again later, or let the session expire",
         std::move(fields));
}

void McpEndpoint::Implementation::scheduleSessionSweep() {
  services_->timer.after(sessions_->table().sweepAfter(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->sessions_->table().sweep();
    self->scheduleSessionSweep();
  });
}

} // namespace skillhost
