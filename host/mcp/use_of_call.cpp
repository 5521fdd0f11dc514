// SPDX-License-Identifier: Apache-2.0
#include "mcp/use_of_call.hpp"

#include "access/access.hpp"
#include "call_members.hpp"
#include "mcp/call.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "usage/usage_recorder.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

namespace skillhost {
namespace {

std::uint32_t spentOn(const Call &call) {
  const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(call.age()).count();
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(spent < most ? spent : most);
}

void setPrincipal(UseEvent &event, const Principal *principal) {
  if (principal == nullptr) return;
  event.issuer = principal->issuer;
  event.person = principal->subject;
}

void setSkill(UseEvent &event, const Skill &skill) {
  event.skill = skill.fields.name;
  event.source = skill.source;
  event.path = skill.path;
}

} // namespace

void recordUse(const Call &call, std::optional<UseOfCall> use, std::optional<Fault> fault) {
  UsageRecorder *const usage = call.services().usage.get();
  // A source that is asked too often fails in the same way, once the call has said what it uses.
  const bool isTurnedAway = fault == Fault::RateLimited && !use;
  if (usage == nullptr || (!use && !isTurnedAway)) return;
  UseEvent event;
  event.kind = isTurnedAway ? UseKind::Refusal : use->kind;
  event.outcome = fault ? describe(*fault).code : use->outcome;
  if (use) {
    if (use->skill) setSkill(event, *use->skill);
    event.digest = std::move(use->digest);
    event.text = std::move(use->asked);
  }
  setPrincipal(event, call.principal().get());
  event.client = clientNameOf(call);
  event.microseconds = spentOn(call);
  usage->record(std::move(event));
}

void recordRefusals(Access &access, const Services &services) {
  access.tellRefusals([usage = services.usage](Fault fault, const Principal *principal) {
    UseEvent event;
    event.kind = UseKind::Refusal;
    event.outcome = describe(fault).code;
    setPrincipal(event, principal);
    usage->record(std::move(event));
  });
}

} // namespace skillhost
