// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.auth/1". A credential is sent on but never kept. validate() is never
// repeated.
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <exception>
#include <vector>

namespace skillhost::process {
namespace {

skh_status check(void *self, const skh_call *call) noexcept try {
  Packer packer = request(Operation::Check, call);
  Receiver receiver;
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Check, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

bool takePrincipal(Receiver &self, Unpacker &from, const skh_principals &out) {
  skh_principal principal{};
  principal.size = sizeof principal;
  principal.subject = toSkhStr(from.text());
  principal.issuer = toSkhStr(from.text());
  principal.claims = toSkhStr(from.text());
  principal.expires_at = from.i64();
  principal.cache_seconds = from.u32();
  std::vector<skh_str> scopes;
  for (std::uint32_t left = from.u32(); left > 0 && from.good(); --left)
    scopes.push_back(toSkhStr(from.text()));
  if (!from.good()) return false;
  principal.scopes = scopes.data();
  principal.scope_count = static_cast<std::uint32_t>(scopes.size());
  if (self.sinkStatus == SKH_OK) self.sinkStatus = out.accept(&out, &principal);
  return true;
}

void pack(Packer &packer, const skh_credential &credential) {
  for (const skh_str text :
       {credential.scheme, credential.value, credential.resource, credential.peer})
    packer.text(toStringView(text));
}

Receiver principalInto(const skh_principals *out) {
  Receiver receiver;
  receiver.onRecord = [out](Receiver &own, Record record, Unpacker &from) {
    return record == Record::Principal && takePrincipal(own, from, *out);
  };
  return receiver;
}

skh_status validateCaller(void *self, const skh_call *call, const skh_caller *caller,
                          const skh_principals *out) noexcept try {
  Packer packer = request(Operation::ValidateCaller, call);
  pack(packer, *caller->credential);
  packer.u8(caller->certificate != nullptr ? 1 : 0);
  if (const skh_certificate *const certificate = caller->certificate; certificate != nullptr) {
    for (const skh_str text : {certificate->subject, certificate->issuer, certificate->sha256})
      packer.text(toStringView(text));
    packer.i64(certificate->expires_at);
    packer.u32(certificate->name_count);
    for (std::uint32_t i = 0; i < certificate->name_count; ++i)
      packer.text(toStringView(certificate->names[i]));
  }
  packer.u32(caller->header_count);
  for (std::uint32_t i = 0; i < 2 * caller->header_count; ++i)
    packer.text(toStringView(caller->headers[i]));
  Receiver receiver = principalInto(out);
  return callRunner(ProxyInstance::of(self).supervisor, Operation::ValidateCaller, call, packer,
                    receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                    const skh_principals *out) noexcept try {
  Packer packer = request(Operation::Validate, call);
  pack(packer, *credential);
  Receiver receiver = principalInto(out);
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Validate, call, packer,
                    receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status describe(void *self, const skh_call *call, const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Describe, call);
  Receiver receiver = bytesInto(*out);
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Describe, call, packer,
                    receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_callers forwardingCallers{sizeof(skh_callers), SKH_CALLER_MAGIC, &validateCaller};
const skh_auth forwardingAuth{sizeof(skh_auth), 0, &check, &validate, &describe};

} // namespace skillhost::process
