// SPDX-License-Identifier: Apache-2.0
#include "mcp/use_of_call.hpp"

#include "call_members.hpp"
#include "mcp/call.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

namespace skillhost {
namespace {

std::uint32_t spentOn(const Call &call) {
  const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(call.age()).count();
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(spent < most ? spent : most);
}

void setPrincipal(UseView &event, const Principal *principal) {
  if (principal == nullptr) return;
  event.issuer = principal->issuer;
  event.person = principal->subject;
}

void setSkill(UseView &event, const Skill &skill) {
  event.skill = skill.fields.name;
  event.source = skill.source;
  event.path = skill.path;
}

} // namespace

void notifyCallEnded(const Call &call, const std::optional<UseOfCall> &use,
                     std::optional<Fault> fault) {
  // A source that is asked too often fails with the same fault, but then the call has said what it
  // uses.
  const bool isTurnedAway = fault == Fault::RateLimited && !use;
  if (!use && !isTurnedAway) return;
  UseView event;
  event.kind = isTurnedAway ? UseKind::Refusal : use->kind;
  event.outcome = fault ? describe(*fault).code : use->outcome;
  if (use) {
    if (use->skill) setSkill(event, *use->skill);
    if (use->digest) event.digest = *use->digest;
    event.text = use->asked;
  }
  setPrincipal(event, call.principal().get());
  const std::string client = clientNameOf(call);
  event.client = client;
  event.microseconds = spentOn(call);
  call.services().observers.callEnded(event);
}

} // namespace skillhost
