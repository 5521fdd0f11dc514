// SPDX-License-Identifier: Apache-2.0
// The configured access layer: authentication, permissions, visibility and the audit.
#pragma once

#include "access/audit.hpp"
#include "access/authenticator.hpp"
#include "access/credential_watch.hpp"
#include "access/permissions.hpp"
#include "access/presented_credential.hpp"
#include "access/refusal.hpp"
#include "access/visibility.hpp"
#include "plugin/observer.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Thrown at the start if the authorization provider cannot be reached, or refuses to work.
class ProviderRefused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct AccessSettings {
  ScopeNames scopes;
  std::string resource; // canonical URI of this server, without a fragment; may be empty
  CredentialRules credentials;
  std::vector<VisibilityRule> visibility;
  AuthenticatorRules authenticator;
  WatchRules watch;
  AuthenticatorSharing sharing;
  std::chrono::seconds startTimeout{30}; // for each answer of the provider at the start
};

// Only the rules of visibility can change later. Any thread.
class Access {
public:
  // Asks the provider whether it works, and for its metadata, and waits for the answers. If
  // `provider` is null, callers are not identified, and only visibility and audit remain.
  // `observers` are notified of every refusal and of each record of the audit. Throws
  // ProviderRefused with a message for the operator, and what Visibility, Audit and Authenticator
  // throw.
  Access(AccessSettings settings, std::shared_ptr<AuthProvider> provider, Observers observers = {});

  // Returns null if callers are not identified.
  Authenticator *authenticator() const noexcept { return authenticator_.get(); }
  const Permissions &permissions() const noexcept { return permissions_; }
  // Returns why the principal may not do what needs this permission; nothing if it may, or if
  // callers are not identified. This is the only check of scopes, for both transports. A refusal is
  // written to the audit.
  std::optional<AccessRefusal> check(Permission need, const AccessRequest &asking) const;
  // Answers the same question without a refusal and without an audit record.
  bool allows(Permission need, const Principal *principal) const {
    return !authenticator_ || permissions_.missingScopes(need, principal).empty();
  }
  // Makes a refusal for another reason and writes it to the audit. The refusal names the scopes of
  // `need`.
  AccessRefusal refuse(Failure failure, const AccessRequest &asking,
                       Permission need = Permission::Nothing) const;
  const Visibility &visibility() const noexcept { return visibility_; }
  // Replaces the rules of visibility; see Visibility::replace().
  void replaceRules(const Visibility::Prepared &rules, std::uint64_t generation) noexcept {
    visibility_.replace(rules, generation);
  }
  Audit &audit() const noexcept { return *audit_; }
  const CredentialRules &credentials() const noexcept { return settings_.credentials; }
  const std::string &resource() const noexcept { return settings_.resource; }
  // Watches the credential of a stream that `principal` has opened. Calls `end` once, on any
  // thread, when the stream may no longer be open, because the credential has expired, is rejected,
  // or allows or shows something else than at the beginning. Keep the watch as long as the stream.
  // Null if callers are not identified.
  WatchPointer watch(StoredCredential credential, const PrincipalPointer &principal,
                     std::function<void()> end) const;
  // Returns the RFC 9728 metadata of the resource with that URI.
  Result<std::string> metadata(std::string_view resource) const;

private:
  const AccessSettings settings_;
  const Permissions permissions_;
  Visibility visibility_;
  const Observers observers_; // outlive the authenticator, whose provider may still answer
  const std::unique_ptr<Audit> audit_;
  const std::unique_ptr<Authenticator> authenticator_;
  const std::unique_ptr<CredentialWatches> watches_; // uses the authenticator
  const std::string metadata_;                       // metadata from the provider
};

} // namespace skillhost
