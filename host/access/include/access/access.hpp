// SPDX-License-Identifier: Apache-2.0
// The access layer as the configuration wants it: who is asked, what is needed, what is seen, and
// what is written down.
#pragma once

#include "access/audit.hpp"
#include "access/authenticator.hpp"
#include "access/credential_watch.hpp"
#include "access/permissions.hpp"
#include "access/presented.hpp"
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

// The authorization provider cannot be asked, or refuses.
class ProviderRefused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct AccessSettings {
  ScopeNames scopes;
  std::string resource; // canonical URI of this server, without a fragment; empty: none
  CredentialRules credentials;
  std::vector<VisibilityRule> visibility;
  AuthenticatorRules authenticator;
  WatchRules watch;
  AuthenticatorSharing sharing;
  std::chrono::seconds patience{30}; // for each answer of the provider at the start
};

// Only the rules of visibility change after it is made. Any thread.
class Access {
public:
  // Asks the provider whether it can do its work, and for its metadata, and waits for the answers.
  // Without a provider nobody is asked who it is: only visibility and audit remain. `observers` are
  // told of every refusal and of each record of the audit. Throws ProviderRefused, whose words are
  // for the operator, and what Visibility, Audit and Authenticator throw.
  Access(AccessSettings settings, std::shared_ptr<AuthProvider> provider, Observers observers = {});

  // Null: nobody is asked.
  Authenticator *authenticator() const noexcept { return authenticator_.get(); }
  const Permissions &permissions() const noexcept { return permissions_; }
  // Why the principal may not have what needs this; nothing: it may, or nobody is asked who it is.
  // The one check of scopes, of both transports. A refusal is written to the audit.
  std::optional<AccessRefusal> check(Need need, const Asking &asking) const;
  // The same as a question alone.
  bool allows(Need need, const Principal *principal) const {
    return !authenticator_ || permissions_.missing(need, principal).empty();
  }
  // For another reason: writes it to the audit. `need`: what is to be told of scopes.
  AccessRefusal refuse(Failure failure, const Asking &asking, Need need = Need::Nothing) const;
  const Visibility &visibility() const noexcept { return visibility_; }
  // From now on these rules say who sees what; see Visibility::replace().
  void replaceRules(const Visibility::Prepared &rules, std::uint64_t generation) noexcept {
    visibility_.replace(rules, generation);
  }
  Audit &audit() const noexcept { return *audit_; }
  const CredentialRules &credentials() const noexcept { return settings_.credentials; }
  const std::string &resource() const noexcept { return settings_.resource; }
  // Of a stream that `principal` has opened with `credential`: calls `end` once, on any thread,
  // when it may no longer be open, because the credential has expired, is rejected, or allows or
  // shows something else than at the beginning. Keep the watch as long as the stream; null when
  // nobody is asked who it is.
  WatchPointer watch(HeldCredential credential, const PrincipalPointer &principal,
                     std::function<void()> end) const;
  // Returns the RFC 9728 metadata of the resource of that URI.
  Result<std::string> metadata(std::string_view resource) const;

private:
  const AccessSettings settings_;
  const Permissions permissions_;
  Visibility visibility_;
  const std::unique_ptr<Audit> audit_;
  const std::unique_ptr<Authenticator> authenticator_;
  const std::unique_ptr<CredentialWatches> watches_; // uses the one before
  const Observers observers_;
  const std::string described_; // by the provider
};

} // namespace skillhost
