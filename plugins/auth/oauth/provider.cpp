// SPDX-License-Identifier: Apache-2.0
#include "provider.hpp"

#include "http_client/url.hpp"
#include "openid/discovery.hpp"

namespace skillhost::oauth {
namespace {

constexpr std::chrono::seconds pauseAfterFailure{2};

} // namespace

Provider::Provider(const Settings &settings)
    : settings_(settings), client_(settings.client), endpoint_(settings.endpoint) {}

std::string Provider::discovered(const skh::Call &call) {
  const Json metadata = openid::discover(call, client_, settings_.issuer);
  std::string found = openid::endpoint(metadata, "introspection_endpoint");
  if (found.empty())
    throw skh::Error(SKH_UNAVAILABLE, settings_.issuer +
                                          " publishes no introspection_endpoint: set "
                                          "introspection_url or tokeninfo_url, or use the plugin "
                                          "jwt if its tokens are JWTs");
  return found;
}

std::string Provider::endpoint(const skh::Call &call) {
  {
    const std::lock_guard lock(mutex_);
    if (!endpoint_.empty()) return endpoint_;
    if (failedAt_ && std::chrono::steady_clock::now() - *failedAt_ < pauseAfterFailure)
      throw skh::Error(SKH_UNAVAILABLE, failure_);
  }
  // Two threads may discover the same endpoint at once, which is simpler than waiting for each
  // other.
  try {
    std::string found = discovered(call);
    const std::lock_guard lock(mutex_);
    endpoint_ = found;
    return found;
  } catch (const skh::Error &why) {
    if (why.status() != SKH_UNAVAILABLE) throw;
    const std::lock_guard lock(mutex_);
    failedAt_ = std::chrono::steady_clock::now();
    failure_ = why.what();
    throw;
  }
}

Provider::Answer Provider::ask(const skh::Call &call, std::string_view token) {
  http::Request request;
  request.url = endpoint(call);
  if (settings_.form == Form::TokenInfo) {
    request.form.emplace_back("access_token", token);
  } else {
    request.form.emplace_back("token", token);
    request.form.emplace_back("token_type_hint", "access_token");
    if (settings_.clientAuth == ClientAuth::SecretPost) {
      request.form.emplace_back("client_id", settings_.clientId);
      request.form.emplace_back("client_secret", settings_.clientSecret);
    } else {
      request.user = web::formEncoded(settings_.clientId);
      request.password = web::formEncoded(settings_.clientSecret);
    }
  }
  return {client_.send(call, request), request.url};
}

} // namespace skillhost::oauth
