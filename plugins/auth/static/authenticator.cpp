// SPDX-License-Identifier: Apache-2.0
#include "authenticator.hpp"

#include "ground/time_reading.hpp"
#include "tokens/token.hpp"

#include <skillhost/config.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>

namespace skillhost::statics {
namespace {

constexpr std::int64_t maxCacheSeconds = 300;

std::string variable(const char *name) {
  const char *value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

} // namespace

Authenticator::Authenticator(skh::Host host, const skh::Call & /*call*/) : host_(host) {
  const skh::Config config(host);
  path_ =
      config.text("file", tokens::defaultTokenFile(variable("XDG_CONFIG_HOME"), variable("HOME")));
  if (!path_.starts_with('/') || path_.find('\0') != std::string::npos)
    throw skh::Error(SKH_INVALID, "file: must be an absolute path");
  cacheSeconds_ = config.integer("cache_seconds", 5);
  if (cacheSeconds_ < 0 || cacheSeconds_ > maxCacheSeconds)
    throw skh::Error(SKH_INVALID, "cache_seconds: must be between 0 and 300");
}

std::shared_ptr<const tokens::TokenFile> Authenticator::current() {
  const std::lock_guard lock(mutex_);
  if (file_ != nullptr && file_->isCurrent(path_)) return file_;
  const bool renewed = file_ != nullptr;
  file_ = nullptr;
  try {
    file_ = std::make_shared<const tokens::TokenFile>(tokens::TokenFile::read(path_));
  } catch (const std::runtime_error &why) {
    throw skh::Error(SKH_UNAVAILABLE, why.what());
  }
  if (renewed) host_.changed(); // the host may have cached answers that are wrong now
  return file_;
}

void Authenticator::check(const skh::Call & /*call*/) {
  const auto file = current();
  if (file->entries().empty())
    host_.log(SKH_WARN, path_ +
                            " holds no token: nobody can come in. Make one: skillhost token "
                            "add NAME --file " +
                            path_);
}

skh::Principal Authenticator::validate(const skh::Call &call, const skh::Credential &credential) {
  call.point();
  if (credential.scheme != "bearer") throw skh::Error(SKH_DENIED, "a bearer token is required");
  if (!tokens::isWellFormed(credential.value))
    throw skh::Error(SKH_DENIED, "that is no token of this server: mistyped, cut off or foreign");
  const auto file = current();
  const tokens::TokenEntry *entry = tokens::findToken(file->entries(), credential.value);
  if (entry == nullptr) throw skh::Error(SKH_DENIED, "the token is not known, or was revoked");
  const std::int64_t now = secondsNow();
  if (entry->expiresAt != 0 && entry->expiresAt <= now)
    throw skh::Error(SKH_DENIED, "the token has expired");
  skh::Principal who;
  who.subject = entry->name;
  who.issuer = "static";
  who.scopes = entry->scopes;
  who.expires_at = entry->expiresAt;
  // The host only caches answers with an end, so this one is valid for a day.
  if (who.expires_at == 0) who.expires_at = now + 86'400;
  who.cache_seconds =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(who.expires_at - now, 0, cacheSeconds_));
  return who;
}

std::string Authenticator::describe(const skh::Call & /*call*/) {
  // Everybody may read this without a token. It omits the scopes in the file, because their names
  // could reveal hidden skills. The host adds the scopes that it requires itself.
  return nlohmann::json{{"bearer_methods_supported", {"header"}}}.dump();
}

} // namespace skillhost::statics
