// SPDX-License-Identifier: Apache-2.0
// Requests of the sessions of the older family, known to this process or shared with others.
#include "endpoint.hpp"
#include "ground/random.hpp"
#include "held_credential.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "message_headers.hpp"
#include "opening_reply.hpp"
#include "session_record.hpp"

#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view noSession = "there is no such session: initialize again";
constexpr std::string_view noEvent = "there is no such event to go on from";

// Not left out of the record: the session would be another one at each replica.
bool hasTooLargeCapabilities(const HttpSession &session) {
  return session.client().clientCapabilities.with(
      [](const std::string &own) { return own.size() > SessionRecord::mostCapabilities; });
}

int codeOfAway() { return describe(Fault::Unavailable).jsonRpc; }

} // namespace

void McpEndpoint::Implementation::shareSessions() {
  shared_ = std::make_shared<SharedSessions>(
      services_->shared, sessions_, rules_.sessionIdle,
      [weak = weak_from_this()](const std::string &id, const SessionAsker &asker) {
        const auto self = weak.lock();
        return self ? self->newSession(id, asker) : nullptr;
      },
      [](const HttpSession &session, const std::string &id) { session.client().cancel(id); });
  shared_->begin();
}

std::shared_ptr<HttpSession> McpEndpoint::Implementation::newSession(const std::string &id,
                                                                     const SessionAsker &asker) {
  auto session = std::make_shared<HttpSession>(
      id, asker.owner, rules_.kept, audienceOf(services_->access, asker.principal),
      sessions_->shareOf(asker.owner, asker.network),
      shared_ ? shared_->newCopy(id, asker.owner) : nullptr);
  std::function<void(const Fragments &)> send =
      [standing = session->standing()](const Fragments &told) { standing->send(told); };
  if (shared_)
    send = [weak = std::weak_ptr(session)](const Fragments &told) {
      if (const auto own = weak.lock()) SharedSessions::tell(*own, told);
    };
  session->serve(std::make_shared<ClientSession>(services_, std::move(send),
                                                 ClientSession::Client::OneOfMany, asker.network));
  if (shared_) {
    session->client().clientRequests.nameBy(
        [state = services_->shared, key = session->copy()->key](std::uint64_t number) {
          return SharedSessions::questionName(*state, key, number);
        });
  }
  session->client().seenBy(asker.principal); // until somebody listens
  return session;
}

// The one that the request names; a request that names two is of none.
std::shared_ptr<HttpSession>
McpEndpoint::Implementation::sessionOf(const HttpRequest &asked, const std::string &owner) const {
  if (asked.count(sessionField) != 1) return nullptr;
  return sessions_->find(*asked.field(sessionField), owner);
}

void McpEndpoint::Implementation::withSession(Exchange exchange, const PrincipalPointer &principal,
                                              SharedSessions::Then then) {
  const HttpRequest &asked = exchange->request();
  std::string owner = HttpAuthFilter::ownerOf(principal);
  if (!shared_) return then(sessionOf(asked, owner), SessionLack::Absent);
  if (asked.count(sessionField) != 1) return then(nullptr, SessionLack::Absent);
  shared_->find(std::string(*asked.field(sessionField)),
                {std::move(owner), networkOf(asked.peer), principal},
                [self = shared_from_this(), exchange,
                 then = std::move(then)](const SessionPointer &session, SessionLack lack) {
                  if (self->closed_) return self->refuseStopping(exchange);
                  then(session, lack);
                });
}

void McpEndpoint::Implementation::refuseLack(Exchange exchange, SessionLack lack, HttpFields fields,
                                             std::string_view id) {
  if (lack == SessionLack::Absent)
    return refuse(exchange, 404, invalidRequest(), noSession, std::move(fields), id);
  fields.emplace_back("Retry-After", lack == SessionLack::Full ? "60" : "2");
  refuse(exchange, 503, codeOfAway(),
         lack == SessionLack::Full ? "too many sessions"
         : lack == SessionLack::Newer
             ? "another version of the server has written this session: ask again"
         : lack == SessionLack::Unwritten
             ? "this session was opened at another replica while what the replicas share could not "
               "be written: ask again"
             : "this replica does not know the session, and what the replicas share cannot be "
               "reached: ask again",
         std::move(fields), id);
}

void McpEndpoint::Implementation::settled(const SessionPointer &session,
                                          const std::function<void()> &then) {
  if (!shared_) return then();
  shared_->settle(session, then);
}

void McpEndpoint::Implementation::openSession(Exchange exchange, Message message,
                                              HttpReplyForm form) {
  forgetUnlessWatched(*exchange, services_->access, message.method);
  // 128 bits that nobody can guess: the id lets its holder read what is meant for the client.
  const auto session =
      newSession(randomHex(16), {HttpAuthFilter::ownerOf(form.principal),
                                 networkOf(exchange->request().peer), form.principal});
  std::string origin = form.origin;
  RequestOrigin request = form.request;
  PrincipalPointer principal = form.principal;
  // Only a client that it has agreed with has a session: a failure costs the others nothing.
  auto answer = [self = shared_from_this(), exchange, session, id = message.id,
                 form = std::move(form)](Fragments text, int errorCode) mutable {
    if (errorCode == 0) {
      if (self->shared_ && hasTooLargeCapabilities(*session))
        return self->refuseCapabilities(exchange, std::move(form.further), id);
      if (!self->sessions_->add(session))
        return self->refuse(exchange, 503, codeOfAway(), "too many sessions",
                            {{"Retry-After", "60"}}, id);
      if (self->shared_) return self->answerOpened(exchange, session, std::move(form), text);
      form.further.emplace_back("Mcp-Session-Id", session->id());
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

void McpEndpoint::Implementation::refuseCapabilities(Exchange exchange, HttpFields fields,
                                                     std::string_view id) {
  const FaultInfo &info = describe(Fault::TooLarge);
  refuse(exchange, info.http, info.jsonRpc,
         "params.capabilities has more than " + std::to_string(SessionRecord::mostCapabilities) +
             " bytes, which is too large for a session that replicas share",
         std::move(fields), id);
}

void McpEndpoint::Implementation::answerOpened(Exchange exchange, const SessionPointer &session,
                                               HttpReplyForm form, const Fragments &text) {
  const auto kept = std::make_shared<HttpReplyForm>(std::move(form));
  shared_->opened(session, [exchange, kept, text](const std::string &id) {
    kept->further.emplace_back("Mcp-Session-Id", id);
    std::make_shared<HttpReply>(exchange, std::move(*kept), nullptr)->answer(text, 0);
  });
}

void McpEndpoint::Implementation::inSession(Exchange exchange, Message message, HttpReplyForm form,
                                            const SessionPointer &session) {
  forgetUnlessWatched(*exchange, services_->access, message.method);
  form.audience = audienceOf(services_->access, form.principal);
  const Need need = needOf(message.method, message.params);
  form.audience.manages = need == Need::Manage || need == Need::Review;
  // A client that goes has not cancelled: it may come back for the rest (Last-Event-ID).
  std::shared_ptr<ReplyChannel> reply =
      std::make_shared<HttpReply>(exchange, std::move(form), session);
  if (shared_) reply = shared_->settled(session, std::move(reply));
  session->client().request(std::move(message), reply, ProtocolFamily::Legacy);
}

void McpEndpoint::Implementation::notification(Exchange exchange, Message message,
                                               HttpFields fields,
                                               const PrincipalPointer &principal) {
  if (!exchange->request().field(sessionField))
    return exchange->respond({202, {}, std::move(fields), {}});
  withSession(
      exchange, principal,
      [self = shared_from_this(), exchange, message = std::move(message),
       fields = std::move(fields)](const SessionPointer &session, SessionLack lack) mutable {
        if (!session) return self->refuseLack(exchange, lack, std::move(fields));
        self->take(exchange, std::move(message), std::move(fields), session);
      });
}

void McpEndpoint::Implementation::take(Exchange exchange, Message message, HttpFields fields,
                                       const SessionPointer &session) {
  auto delivery = SharedSessions::Delivery::Taken;
  if (shared_)
    delivery = shared_->deliver(*session, std::move(message));
  else
    session->client().accept(std::move(message), nullptr);
  if (delivery != SharedSessions::Delivery::Taken)
    return refuseDelivery(exchange, delivery, std::move(fields));
  settled(session,
          [exchange, fields = std::move(fields)] { exchange->respond({202, {}, fields, {}}); });
}

void McpEndpoint::Implementation::refuseDelivery(Exchange exchange, SharedSessions::Delivery why,
                                                 HttpFields fields) {
  if (why == SharedSessions::Delivery::TooLarge)
    return refuse(exchange, 413, invalidRequest(),
                  "this answer is too large to reach the replica that waits for it",
                  std::move(fields));
  const bool isAway = why == SharedSessions::Delivery::Away;
  fields.emplace_back("Retry-After", isAway ? "2" : "1");
  if (isAway)
    return refuse(exchange, 503, codeOfAway(),
                  "what this is about is not at this replica, and what the replicas share cannot "
                  "be reached: send it again",
                  std::move(fields));
  const FaultInfo &info = describe(Fault::RateLimited);
  refuse(exchange, info.http, info.jsonRpc,
         "this session asks too often for what is not at this replica", std::move(fields));
}

void McpEndpoint::Implementation::get(Exchange exchange, HttpFields fields,
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
  const auto credential = std::make_shared<HeldCredential>(credentialOf(asked, services_->access));
  forgetCredentials(*exchange, services_->access);
  withSession(exchange, principal,
              [self = shared_from_this(), exchange, fields = std::move(fields), principal,
               credential](const SessionPointer &session, SessionLack lack) mutable {
                if (!session) return self->refuseLack(exchange, lack, std::move(fields));
                self->listen(exchange, std::move(fields), principal, std::move(*credential),
                             session);
              });
}

void McpEndpoint::Implementation::listen(Exchange exchange, HttpFields fields,
                                         const PrincipalPointer &principal,
                                         HeldCredential credential, const SessionPointer &session) {
  const HttpRequest &asked = exchange->request();
  const bool primed = versionOf(asked) >= firstPrimedVersion;
  const Audience who = audienceOf(services_->access, principal);
  const auto last = asked.field("last-event-id");
  const auto event = last ? readEventId(*last) : std::nullopt;
  // The event is of another replica, or of this one before it was started again: what came after
  // it is not here, but each list can be told as changed.
  const bool isForeign = last && (!event || event->place != session->place());
  const bool isOwn = event && !isForeign;
  const auto stream = isOwn ? session->stream(event->stream) : session->standing();
  const auto after = isOwn ? std::optional(event->sequence) : std::nullopt;
  // What is kept for somebody who sees or may do other things is no more there than what is gone.
  const bool isStanding = stream && stream == session->standing();
  const bool isForgotten = isStanding && !stream->keptFor(who);
  if (!stream || !stream->attach(exchange, fields, after, primed, who))
    return refuse(exchange, 404, invalidRequest(), noEvent, std::move(fields));
  // From now on it is told what this one may see.
  if (isStanding) session->client().seenBy(principal);
  const bool isMoved = isStanding && shared_ && shared_->listen(session);
  const bool wasMissed = isForeign || isMoved;
  // What it has not heard may have been that its lists are others.
  if (isForgotten || wasMissed) session->client().tellAllLists();
  if (wasMissed) session->client().tellAllResources();
  if (services_->access == nullptr) return;
  stream->keep(exchange, services_->access->watch(
                             std::move(credential), principal,
                             [weak = std::weak_ptr(stream), gone = std::weak_ptr(exchange)] {
                               const auto open = weak.lock();
                               if (open) open->detach(gone.lock());
                             }));
}

void McpEndpoint::Implementation::endSession(Exchange exchange, HttpFields fields,
                                             const PrincipalPointer &principal) {
  if (!exchange->request().field(sessionField))
    return refuse(exchange, 400, invalidRequest(), "DELETE needs Mcp-Session-Id",
                  std::move(fields));
  withSession(exchange, principal,
              [self = shared_from_this(), exchange, fields = std::move(fields)](
                  const SessionPointer &session, SessionLack lack) mutable {
                auto answer = [self, exchange, fields](bool done) mutable {
                  if (done) return exchange->respond({204, {}, std::move(fields), {}});
                  self->refuseLack(exchange, SessionLack::Away, std::move(fields));
                };
                if (!session) return self->refuseLack(exchange, lack, std::move(fields));
                if (self->shared_) return self->shared_->end(session, answer);
                // Another one may have been quicker.
                if (self->sessions_->end(session->id(), session->owner())) return answer(true);
                self->refuseLack(exchange, SessionLack::Absent, std::move(fields));
              });
}

void McpEndpoint::Implementation::sweepLater() {
  services_->timer.after(sessions_->sweepAfter(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->sessions_->sweep();
    if (self->shared_) self->shared_->keepUsed();
    self->sweepLater();
  });
}

} // namespace skillhost
