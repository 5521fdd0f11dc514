// SPDX-License-Identifier: Apache-2.0
// Implementation of McpEndpoint. endpoint.cpp has the requests without a session,
// endpoint_sessions.cpp those of a session.
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

// The requests under way share it, because they may outlive the endpoint until they are answered.
class McpEndpoint::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  // Makes an endpoint whose sessions listen to the other replicas from now on.
  static std::shared_ptr<Implementation> make(std::shared_ptr<Services> services, HttpRules rules);

  void handle(const std::shared_ptr<HttpExchange> &exchange);
  void admit(const std::shared_ptr<HttpExchange> &exchange, Permission need,
             const OnAdmitted &onAdmitted, const OnRefused &onRefused);
  void close(); // see McpEndpoint
  void end();   // also waits for long requests, and ends the sessions

private:
  Implementation(std::shared_ptr<Services> services, HttpRules rules)
      : services_(std::move(services)), rules_(std::move(rules)),
        authFilter_(std::make_shared<const HttpAuthFilter>(services_->access, rules_.publicUrl,
                                                           services_->settings.passTrace)) {}

  using Exchange = const std::shared_ptr<HttpExchange> &;
  using SessionPointer = std::shared_ptr<HttpSession>;
  static constexpr std::string_view sessionField = "mcp-session-id";
  static constexpr std::string_view firstPrimedVersion = "2025-11-25"; // compared as text
  static int invalidRequest() { return describe(Fault::InvalidRequest).jsonRpc; }
  void handleAdmitted(Exchange exchange, HttpFields fields, const PrincipalPointer &principal);
  void post(Exchange exchange, HttpFields fields, const PrincipalPointer &principal);
  void onBodyRead(Exchange exchange, HttpReplyForm &&form);
  void dispatchOrRefuse(Exchange exchange, HttpReplyForm &&form);
  void parseAndDispatch(Exchange exchange, HttpReplyForm &&form);
  void handleWithoutSession(Exchange exchange, Message message, HttpReplyForm &&form);
  void refuseStopping(Exchange exchange);
  void refuse(Exchange exchange, int status, int code, std::string_view words,
              HttpFields fields = {}, std::string_view id = "null", std::string_view data = {});

  void beginSessions();
  SessionPointer newSession(const SessionRequester &requester, std::unique_ptr<SessionCopy> copy);
  // Calls `then`, at once if this replica knows the session. `then` gets null if there is none.
  void withSession(Exchange exchange, const PrincipalPointer &principal,
                   SessionStore::FindCallback then);
  void refuseWithoutSession(Exchange exchange, NoSessionReason reason, HttpFields fields,
                            std::string_view id = "null");
  void handleInSession(Exchange exchange, Message &&message, HttpReplyForm &&form,
                       const SessionPointer &session);
  void openSession(Exchange exchange, Message &&message, HttpReplyForm &&form);
  void handleNotification(Exchange exchange, Message message, HttpFields fields,
                          const PrincipalPointer &principal);
  void deliverToSession(Exchange exchange, Message message, HttpFields fields,
                        const SessionPointer &session);
  void refuseDelivery(Exchange exchange, SessionStore::Delivery why, HttpFields fields);
  void get(Exchange exchange, HttpFields fields, const PrincipalPointer &principal);
  void listen(Exchange exchange, HttpFields fields, const PrincipalPointer &principal,
              StoredCredential credential, const SessionPointer &session);
  void endSession(Exchange exchange, HttpFields fields, const PrincipalPointer &principal);
  void refuseUnended(Exchange exchange, SessionStore::End end, HttpFields fields);
  void scheduleSessionSweep();

  const std::shared_ptr<Services> services_;
  const HttpRules rules_;
  const std::shared_ptr<const HttpAuthFilter> authFilter_;
  std::shared_ptr<SessionStore> sessions_; // set by make() alone
  std::atomic<bool> closed_{false};
};

} // namespace skillhost
