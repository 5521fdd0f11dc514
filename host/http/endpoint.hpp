// SPDX-License-Identifier: Apache-2.0
// Implementation of McpEndpoint. endpoint.cpp checks requests and handles those without a session;
// endpoint_sessions.cpp handles those of a session.
#pragma once

#include "auth_filter.hpp"
#include "base/fault.hpp"
#include "http/mcp_endpoint.hpp"
#include "http_reply.hpp"
#include "mcp/services.hpp"
#include "session_store.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {

// Running requests share it, because a request may be answered after the endpoint was destroyed.
class McpEndpoint::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  // Makes the endpoint. From now on its sessions receive messages from other replicas.
  static std::shared_ptr<Implementation> make(std::shared_ptr<Services> services, HttpRules rules);

  void handle(const std::shared_ptr<HttpExchange> &exchange);
  void admit(const std::shared_ptr<HttpExchange> &exchange, Permission need,
             const OnAdmitted &onAdmitted, const OnRefused &onRefused);
  void close(); // see McpEndpoint::close()
  // Called by the destructor of McpEndpoint: closes, drops long messages that wait for their thread
  // (see long_requests.hpp), waits for the one that the thread handles, and ends the sessions.
  void end();

private:
  Implementation(std::shared_ptr<Services> services, HttpRules rules)
      : services_(std::move(services)), rules_(std::move(rules)),
        authFilter_(std::make_shared<const HttpAuthFilter>(services_->access, rules_.publicUrl,
                                                           services_->settings.passTrace)) {}

  using ExchangeRef = const std::shared_ptr<HttpExchange> &;
  using SessionPointer = std::shared_ptr<HttpSession>;
  static constexpr std::string_view sessionField = "mcp-session-id";
  // Streams of this and later revisions begin with a priming event; see EventStream::attach().
  // Revisions are dates, so they are compared as text.
  static constexpr std::string_view firstVersionWithPrimingEvent = "2025-11-25";
  static int invalidRequest() { return describe(Fault::InvalidRequest).jsonRpc; } // -32600

  // The functions below that take an exchange answer its request, at once or later. `fields` are
  // the header fields that every answer to the request has. A refusal is an answer with an error.

  // The steps of a request, in this order. `handleAdmitted` runs after the credential was accepted,
  // `onBodyRead` after the whole body has arrived.
  void handleAdmitted(ExchangeRef exchange, HttpFields fields, const PrincipalPointer &principal);
  void post(ExchangeRef exchange, HttpFields fields, const PrincipalPointer &principal);
  void onBodyRead(ExchangeRef exchange, HttpReplyForm &&form);
  void dispatchOrRefuse(ExchangeRef exchange, HttpReplyForm &&form);
  void parseAndDispatch(ExchangeRef exchange, HttpReplyForm &&form);
  void handleWithoutSession(ExchangeRef exchange, Message message, HttpReplyForm &&form);

  // Answers with an HTTP status and a JSON-RPC error, and logs it. `code`, `words` and `data` are
  // members of the error. `id` is the id of the request, as JSON; `data` is JSON, or empty.
  void refuse(ExchangeRef exchange, int status, int code, std::string_view words,
              HttpFields fields = {}, std::string_view id = "null", std::string_view data = {});
  void refuseWhileStopping(ExchangeRef exchange); // 503

  // Sessions: making and finding them.
  void beginSessions(); // called once, by make()
  SessionPointer newSession(const SessionRequester &requester, std::unique_ptr<SessionCopy> copy);
  // Finds the session that the request names and calls `then` with it: at once if this replica has
  // the session, otherwise after it was looked up in the shared state. Calls `then` with null and
  // the reason if there is no such session.
  void withSession(ExchangeRef exchange, const PrincipalPointer &principal,
                   SessionStore::FindCallback then);
  void refuseMissingSession(ExchangeRef exchange, NoSessionReason reason, HttpFields fields,
                            std::string_view id = "null");

  // Messages of a POST that belong to a session: a request, the request `initialize`, and a
  // notification or an answer of the client.
  void handleInSession(ExchangeRef exchange, Message &&message, HttpReplyForm &&form,
                       const SessionPointer &session);
  void openSession(ExchangeRef exchange, Message &&message, HttpReplyForm &&form);
  void handleNotification(ExchangeRef exchange, Message message, HttpFields fields,
                          const PrincipalPointer &principal);
  void deliverToSession(ExchangeRef exchange, Message message, HttpFields fields,
                        const SessionPointer &session);
  // Refuses a message that could not reach the replica for which it is meant.
  void refuseUndelivered(ExchangeRef exchange, SessionStore::Delivery why, HttpFields fields);

  // GET opens the event stream of a session, DELETE ends a session.
  void get(ExchangeRef exchange, HttpFields fields, const PrincipalPointer &principal);
  void listen(ExchangeRef exchange, HttpFields fields, const PrincipalPointer &principal,
              StoredCredential credential, const SessionPointer &session);
  void endSession(ExchangeRef exchange, HttpFields fields, const PrincipalPointer &principal);
  // Refuses a DELETE that could not end the session.
  void refuseToEndSession(ExchangeRef exchange, SessionStore::End end, HttpFields fields);
  void scheduleSessionSweep(); // drops expired sessions, again and again

  const std::shared_ptr<Services> services_;
  const HttpRules rules_;
  const std::shared_ptr<const HttpAuthFilter> authFilter_;
  std::shared_ptr<SessionStore> sessions_; // set by make() alone
  std::atomic<bool> closed_{false};
};

} // namespace skillhost
