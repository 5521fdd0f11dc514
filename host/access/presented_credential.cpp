// SPDX-License-Identifier: Apache-2.0
#include "access/presented_credential.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

std::shared_ptr<const AuthCaller> callerOf(const HttpRequest &request,
                                           const CredentialRules &rules) {
  AuthCaller caller{request.certificate, {}};
  if (!rules.headers.empty() && (rules.headersFromAnyone || request.fromProxy))
    for (const HttpField &field : request.fields)
      if (std::find(rules.headers.begin(), rules.headers.end(), field.name) != rules.headers.end())
        caller.headers.push_back({std::string(field.name), Secret(field.value)});
  if (!caller.certificate && caller.headers.empty()) return nullptr;
  return std::make_shared<const AuthCaller>(std::move(caller));
}

} // namespace

PresentedCredential presentedCredential(const HttpRequest &request, const CredentialRules &rules) {
  const Bearer bearer = bearerOf(request);
  PresentedCredential presented{bearer.state, "bearer", bearer.token, bearer.reason};
  if (bearer.state == Bearer::State::Malformed || bearer.state == Bearer::State::Unset)
    return presented;
  presented.caller = callerOf(request, rules);
  if (bearer.state == Bearer::State::Present || !presented.caller) return presented;
  presented.state = Bearer::State::Present;
  presented.scheme = request.certificate ? "mtls" : "none";
  if (request.certificate) presented.value = request.certificate->sha256;
  return presented;
}

} // namespace skillhost
