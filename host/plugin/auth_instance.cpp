// SPDX-License-Identifier: Apache-2.0
#include "auth_instance.hpp"

#include "principal_sink.hpp"
#include "sinks.hpp"

namespace skillhost {
namespace {

// Of all there is to go wrong only a clear no is the credential's fault.
Failure refusal(Failure why) {
  if (why.fault != Fault::Unauthenticated && why.fault != Fault::Cancelled)
    why.fault = Fault::Unavailable;
  return why;
}

// What the plugin says of it, without the credential should it have been quoted.
Failure rejection(Failure why, std::string_view secret) {
  if (why.fault == Fault::Denied) why.fault = Fault::Unauthenticated;
  constexpr std::string_view stars = "***masked***";
  constexpr std::size_t shortest = 4; // a shorter one would mask half of every text
  if (secret.size() >= shortest)
    for (std::size_t at = 0; (at = why.message.find(secret, at)) != std::string::npos;
         at += stars.size())
      why.message.replace(at, secret.size(), stars);
  return why;
}

Result<AuthPrincipal> validateNow(Instance &instance, CallFrame &frame,
                                  const AuthCredential &credential) {
  const skh_credential raw{
      sizeof raw,
      0,
      borrow(credential.scheme),
      borrow(credential.value.reveal()),
      borrow(credential.resource),
      borrow(credential.peer),
  };
  PrincipalSink sink(frame);
  const skh_status status =
      instance.operations<skh_auth>().validate(instance.self(), frame.raw(), &raw, sink.raw());
  if (status != SKH_OK)
    return rejection(frame.failure(status, instance.name(), "validate"), credential.value.reveal());
  if (const std::string_view fault = sink.fault(); !fault.empty())
    return {Fault::OperationFailed, instance.name() + ": validate: " + std::string(fault)};
  return std::move(sink.principal);
}

} // namespace

void AuthInstance::check(CallOptions options, Answer<Done> answer) {
  instance_->call<Done>(
      std::move(options), "check",
      [instance = instance_.get()](CallFrame &frame) -> Result<Done> {
        const skh_status status =
            instance->operations<skh_auth>().check(instance->self(), frame.raw());
        if (status != SKH_OK) return frame.failure(status, instance->name(), "check");
        return Done{};
      },
      answer);
}

void AuthInstance::validate(CallOptions options, AuthCredential credential,
                            Answer<AuthPrincipal> answer) {
  instance_->call<AuthPrincipal>(
      std::move(options), "validate",
      [instance = instance_.get(), credential = std::move(credential)](CallFrame &frame) {
        return validateNow(*instance, frame, credential);
      },
      [answer = std::move(answer)](Result<AuthPrincipal> result) {
        answer(result ? std::move(result) : Result<AuthPrincipal>(refusal(result.failure())));
      });
}

void AuthInstance::describe(CallOptions options, std::size_t limit, Answer<std::string> answer) {
  instance_->call<std::string>(
      std::move(options), "describe",
      [instance = instance_.get(), limit](CallFrame &frame) -> Result<std::string> {
        BytesSink sink(frame, limit, 0);
        const skh_status status =
            instance->operations<skh_auth>().describe(instance->self(), frame.raw(), sink.raw());
        if (sink.overflowed())
          return {Fault::TooLarge,
                  instance->name() + ": describe: more than " + std::to_string(limit) + " bytes"};
        if (status != SKH_OK) return frame.failure(status, instance->name(), "describe");
        return std::move(sink.bytes());
      },
      answer);
}

} // namespace skillhost
