// SPDX-License-Identifier: Apache-2.0
// An auth plugin that accepts whoever holds a ticket signed with a key from its key file.
//
// It fails closed: it answers SKH_DENIED to everything that is not a good ticket, and
// SKH_UNAVAILABLE to everybody as long as the key file cannot be used. No message repeats the
// contents of a credential.
#include "schema.hpp"
#include "ticket.hpp"

#include <skillhost/config.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>

namespace {

std::int64_t unixNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

class Tickets final : public skh::Auth {
public:
  Tickets(skh::Host host, const skh::Call &) : Tickets(skh::Config(host)) {}

  void check(const skh::Call &) override {
    constexpr std::int64_t before = 1'767'225'600; // start of 2026: no ticket is older
    if (unixNow() < before) throw skh::Error(SKH_UNAVAILABLE, "the clock is wrong: set it");
    keys();
  }

  skh::Principal validate(const skh::Call &call, const skh::Credential &credential) override {
    call.point();
    if (credential.scheme != "bearer") throw skh::Error(SKH_DENIED, "a bearer ticket is required");
    const auto held = keys();
    const std::int64_t now = unixNow();
    try {
      const Ticket ticket = openTicket(credential.value, *held);
      judgeTicket(ticket, credential.resource, now, rules_);
      return principal(ticket, now);
    } catch (const Refused &refused) {
      throw skh::Error(SKH_DENIED, refused.what());
    }
  }

  // Describes the authentication to clients. The host adds the URI of the resource.
  std::string describe(const skh::Call &) override {
    nlohmann::json metadata = {{"bearer_methods_supported", {"header"}}};
    if (!scopes_.empty()) metadata["scopes_supported"] = scopes_;
    return metadata.dump();
  }

private:
  explicit Tickets(const skh::Config &config)
      : keyFile_(config.text("key_file")), issuer_(config.text("issuer")),
        scopes_(config.texts("scopes")), rules_{config.integer("clock_skew_seconds", 30),
                                                config.integer("longest_lifetime_seconds", 86'400)},
        cacheSeconds_(config.integer("cache_seconds", 60)) {
    if (!keyFile_.starts_with('/'))
      throw skh::Error(SKH_INVALID, "key_file: must be an absolute path");
  }

  // Returns the keys, which it reads again when the file has changed. A key that has been removed
  // from the file is refused from then on.
  std::shared_ptr<const Keys> keys() {
    const std::lock_guard lock(mutex_);
    if (keys_ != nullptr && keys_->current(keyFile_)) return keys_;
    keys_ = nullptr;
    try {
      keys_ = std::make_shared<const Keys>(Keys::read(keyFile_));
    } catch (const std::runtime_error &error) {
      throw skh::Error(SKH_UNAVAILABLE, error.what());
    }
    return keys_;
  }

  skh::Principal principal(const Ticket &ticket, std::int64_t now) const {
    skh::Principal who;
    who.subject = ticket.subject;
    who.issuer = issuer_;
    who.claims = nlohmann::json{{"key", ticket.key}}.dump();
    for (const std::string &scope : ticket.scopes)
      if (scopes_.empty() || std::find(scopes_.begin(), scopes_.end(), scope) != scopes_.end())
        who.scopes.push_back(scope);
    who.expires_at = ticket.ends + rules_.skew;
    who.cache_seconds = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(who.expires_at - now, 0, cacheSeconds_));
    return who;
  }

  const std::string keyFile_;
  const std::string issuer_;
  const std::vector<std::string> scopes_; // empty: every scope of a ticket counts
  const Rules rules_;
  const std::int64_t cacheSeconds_;
  std::mutex mutex_;
  std::shared_ptr<const Keys> keys_;
};

} // namespace

SKH_PLUGIN(skh::auth<Tickets>("org.example.tickets", "1.0.0", "Signed tickets of the house",
                              schema));
