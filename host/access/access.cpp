// SPDX-License-Identifier: Apache-2.0
#include "access/access.hpp"

#include "base/log.hpp"
#include "ground/await.hpp"
#include "net/resource_metadata.hpp"

#include <utility>

namespace skillhost {
namespace {

UseView useOfRefused(Fault fault, const Principal *principal) {
  UseView use;
  use.kind = UseKind::Refusal;
  use.outcome = describe(fault).code;
  if (principal != nullptr) {
    use.issuer = principal->issuer;
    use.person = principal->subject;
  }
  return use;
}

ProviderRefused refusedBecause(const std::string &why) {
  return ProviderRefused("the authorization provider: " + why);
}

// Checks that the provider can do its work, and returns its metadata. Waits at most `patience` for
// each of the two answers.
std::string descriptionBy(AuthProvider &provider, std::chrono::seconds patience) {
  const Status checked = awaitAnswer<Status>([&](ResultCallback<Done> answer) {
    provider.check({Deadline::after(patience), {}, {}}, std::move(answer));
  });
  if (!checked) throw refusedBecause(checked.failure().message);
  Result<std::string> described =
      awaitAnswer<Result<std::string>>([&](ResultCallback<std::string> answer) {
        provider.describe({Deadline::after(patience), {}, {}}, longestDescription,
                          std::move(answer));
      });
  if (!described) throw refusedBecause(described.failure().message);
  return *std::move(described);
}

} // namespace

Access::Access(AccessSettings settings, std::shared_ptr<AuthProvider> provider, Observers observers)
    : settings_(std::move(settings)), permissions_(settings_.scopes),
      visibility_(settings_.visibility), observers_(std::move(observers)),
      audit_(std::make_unique<Audit>(observers_)),
      authenticator_(
          provider ? std::make_unique<Authenticator>(std::move(provider), settings_.authenticator,
                                                     AccessClock::systemClocks(), settings_.sharing)
                   : nullptr),
      watches_(authenticator_ ? std::make_unique<CredentialWatches>(
                                    *authenticator_, settings_.resource, settings_.watch)
                              : nullptr),
      metadata_(authenticator_ ? descriptionBy(authenticator_->provider(), settings_.startTimeout)
                               : "{}") {
  if (!authenticator_) return;
  const std::string &name = authenticator_->provider().name();
  const Result<std::string> document = metadata(settings_.resource);
  if (!document) throw refusedBecause(name + ": describe: " + document.failure().message);
  log::info("access", "every request needs a credential that " + name + " accepts");
}

std::optional<AccessRefusal> Access::check(Permission need, const AccessRequest &asking) const {
  if (allows(need, asking.principal)) return std::nullopt;
  std::string why = "insufficient scope: needed";
  for (const std::string &scope : permissions_.neededScopes(need)) (why += ' ') += scope;
  return refuse({Fault::Denied, std::move(why)}, asking, need);
}

AccessRefusal Access::refuse(Failure failure, const AccessRequest &asking, Permission need) const {
  AccessRefusal refusal{std::move(failure), permissions_.neededScopes(need)};
  if (refusal.failure.fault == Fault::Cancelled) return refusal;
  if (observers_.anyWants(event::refused))
    observers_.refused(useOfRefused(refusal.failure.fault, asking.principal));
  audit_->write({.kind = "refused",
                 .status = refusal.status(),
                 .reason = refusal.failure.message,
                 .method = asking.method,
                 .subject = asking.subject,
                 .peer = asking.peer,
                 .principal = asking.principal});
  return refusal;
}

WatchPointer Access::watch(StoredCredential credential, const PrincipalPointer &principal,
                           std::function<void()> end) const {
  if (!watches_ || !principal || credential.empty()) return nullptr;
  auto still = [this, first = principal](const Principal &now) {
    return now.issuer == first->issuer && now.subject == first->subject &&
           allows(Permission::Read, &now) &&
           visibility_.keyOf(&now) == visibility_.keyOf(first.get());
  };
  auto ended = [this, first = principal, peer = credential.peer,
                end = std::move(end)](std::string_view why) {
    audit_->write({.kind = "ended", .reason = why, .peer = peer, .principal = first.get()});
    end();
  };
  return watches_->watch(std::move(credential), principal, std::move(still), std::move(ended));
}

Result<std::string> Access::metadata(std::string_view resource) const {
  return resourceMetadata(metadata_, resource, permissions_.all());
}

} // namespace skillhost
