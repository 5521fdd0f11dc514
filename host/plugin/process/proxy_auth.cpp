// SPDX-License-Identifier: Apache-2.0
// kind "skh.auth/1", forwarded. A credential is sent on and kept nowhere; validate() is never asked
// twice.
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <exception>
#include <vector>

namespace skillhost::process {
namespace {

skh_status check(void *self, const skh_call *call) noexcept try {
  Packer packer = request(Operation::Check, call);
  Receiver receiver;
  return ask(ProxyInstance::of(self).supervisor, Operation::Check, call, packer, receiver);
} catch (const std::exception &why) {
  say(call, why.what());
  return SKH_FAILED;
}

bool takePrincipal(Receiver &self, Unpacker &from, const skh_principals &out) {
  skh_principal principal{};
  principal.size = sizeof principal;
  principal.subject = lend(from.text());
  principal.issuer = lend(from.text());
  principal.claims = lend(from.text());
  principal.expires_at = from.i64();
  principal.cache_seconds = from.u32();
  std::vector<skh_str> scopes;
  for (std::uint32_t left = from.u32(); left > 0 && from.good(); --left)
    scopes.push_back(lend(from.text()));
  if (!from.good()) return false;
  principal.scopes = scopes.data();
  principal.scope_count = static_cast<std::uint32_t>(scopes.size());
  if (self.refused == SKH_OK) self.refused = out.accept(&out, &principal);
  return true;
}

skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                    const skh_principals *out) noexcept try {
  Packer packer = request(Operation::Validate, call);
  for (const skh_str text :
       {credential->scheme, credential->value, credential->resource, credential->peer})
    packer.text(seen(text));
  Receiver receiver;
  receiver.take = [out](Receiver &own, Record record, Unpacker &from) {
    return record == Record::Principal && takePrincipal(own, from, *out);
  };
  return ask(ProxyInstance::of(self).supervisor, Operation::Validate, call, packer, receiver);
} catch (const std::exception &why) {
  say(call, why.what());
  return SKH_FAILED;
}

skh_status describe(void *self, const skh_call *call, const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Describe, call);
  Receiver receiver = bytesInto(*out);
  return ask(ProxyInstance::of(self).supervisor, Operation::Describe, call, packer, receiver);
} catch (const std::exception &why) {
  say(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_auth forwardingAuth{sizeof(skh_auth), 0, &check, &validate, &describe};

} // namespace skillhost::process
