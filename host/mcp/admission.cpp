// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include "base/fault.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"

namespace skillhost {
namespace {

void refuseExcess(const CallPointer &call, const ToolFailure &failure) {
  if (!call->isFinished()) call->services().callMetrics.onToolFailed(*call, failure.failure.fault);
  call->toolResult(envelope(failure, call->elapsed(), call->resultForm()), &failure.failure);
}

} // namespace

std::string clientOf(const Call &call) {
  const PrincipalPointer &principal = call.principal();
  return principal ? principal->issuer + '\n' + principal->subject : call.session().name();
}

bool refusedByRate(const CallPointer &call) {
  const auto wait = call->services().rates.take(clientOf(*call));
  if (wait) refuseExcess(call, Fault::RateLimited, "too many requests", *wait);
  return wait.has_value();
}

void refuseExcess(const CallPointer &call, Fault fault, std::string_view why,
                  std::chrono::milliseconds wait) {
  call->markRateLimited();
  Failure failure{fault,
                  std::string(why) + ": try again in " + std::to_string(wait.count()) + " ms"};
  if (call->method() == "tools/call") {
    refuseExcess(call, {std::move(failure), {}, wait});
  } else if (call->method() == "call_tool" || call->method() == "list_tools") {
    call->failWith(failure.fault, describe(Fault::Unavailable).http, failure.message);
  } else {
    call->fail(failure,
               R"({"retryable":true,"retryAfterMs":)" + std::to_string(wait.count()) + '}');
  }
}

bool refusedByGuards(const CallPointer &call, std::string_view tool, const Json &arguments,
                     Shortage shortage) {
  const auto refused = call->services().guards.check(tool, arguments, call->bytes(), shortage);
  if (refused) refuseExcess(call, *refused);
  return refused.has_value();
}

} // namespace skillhost
