// SPDX-License-Identifier: Apache-2.0
#include "auth_instance.hpp"

#include "principal_sink.hpp"
#include "sinks.hpp"

#include <skillhost/caller.h>

namespace skillhost {
namespace {

// Only a clear no is the credential's fault. Any other failure becomes Unavailable.
Failure refusal(Failure why) {
  if (why.fault != Fault::Unauthenticated && why.fault != Fault::Cancelled)
    why.fault = Fault::Unavailable;
  return why;
}

// Returns the plugin's rejection, with the credential masked if the message quotes it.
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

std::vector<skh_str> borrowAll(const std::vector<std::string> &texts) {
  std::vector<skh_str> borrowed;
  borrowed.reserve(texts.size());
  for (const std::string &text : texts) borrowed.push_back(borrow(text));
  return borrowed;
}

// Validates with everything that the caller shows. SKH_UNSUPPORTED: the plugin only knows tokens.
skh_status validateCaller(const Instance &instance, const CallFrame &frame,
                          const skh_credential &raw, const AuthCaller &caller,
                          PrincipalSink &sink) {
  const auto *const table = static_cast<const skh_callers *>(instance.extensionOf(SKH_CALLER));
  const bool isTable = SKH_IS_CALLERS(table);
  if (!isTable) return SKH_UNSUPPORTED;
  skh_certificate certificate{};
  std::vector<skh_str> names, headers;
  if (caller.certificate) {
    const ClientCertificate &presented = *caller.certificate;
    names = borrowAll(presented.names);
    certificate = {sizeof certificate,
                   static_cast<std::uint32_t>(names.size()),
                   borrow(presented.subject),
                   borrow(presented.issuer),
                   names.data(),
                   borrow(presented.sha256),
                   presented.expiresAt};
  }
  for (const AuthCaller::Header &header : caller.headers) {
    headers.push_back(borrow(header.name));
    headers.push_back(borrow(header.value.reveal()));
  }
  const skh_caller lent{sizeof lent, static_cast<std::uint32_t>(caller.headers.size()), &raw,
                        caller.certificate ? &certificate : nullptr, headers.data()};
  return table->validate(instance.self(), frame.raw(), &lent, sink.raw());
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
  skh_status status = SKH_UNSUPPORTED;
  if (credential.caller) status = validateCaller(instance, frame, raw, *credential.caller, sink);
  if (status == SKH_UNSUPPORTED && credential.caller && credential.scheme != "bearer")
    return {Fault::Unauthenticated,
            instance.name() + ": the auth plugin supports only tokens (it has no skh.caller/1), "
                              "and the request has none"};
  if (status == SKH_UNSUPPORTED)
    status =
        instance.operations<skh_auth>().validate(instance.self(), frame.raw(), &raw, sink.raw());
  // A plugin may return what the sink has refused with, which says less than the sink's reason.
  if (const std::string_view fault = sink.faultAfter(status); !fault.empty())
    return {Fault::OperationFailed, instance.name() + ": validate: " + std::string(fault)};
  if (status != SKH_OK) {
    Failure why =
        rejection(frame.failure(status, instance.name(), "validate"), credential.value.reveal());
    if (credential.caller)
      for (const AuthCaller::Header &header : credential.caller->headers)
        why = rejection(std::move(why), header.value.reveal());
    return why;
  }
  return std::move(sink.principal);
}

} // namespace

void AuthInstance::check(CallOptions options, ResultCallback<Done> answer) {
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
                            ResultCallback<AuthPrincipal> answer) {
  instance_->call<AuthPrincipal>(
      std::move(options), "validate",
      [instance = instance_.get(), credential = std::move(credential)](CallFrame &frame) {
        return validateNow(*instance, frame, credential);
      },
      [answer = std::move(answer)](Result<AuthPrincipal> result) {
        answer(result ? std::move(result) : Result<AuthPrincipal>(refusal(result.failure())));
      });
}

void AuthInstance::describe(CallOptions options, std::size_t limit,
                            ResultCallback<std::string> answer) {
  instance_->call<std::string>(
      std::move(options), "describe",
      [instance = instance_.get(), limit](CallFrame &frame) -> Result<std::string> {
        BytesSink sink(frame, limit, 0);
        const skh_status status =
            instance->operations<skh_auth>().describe(instance->self(), frame.raw(), sink.raw());
        if (sink.hasOverflowed())
          return {Fault::TooLarge,
                  instance->name() + ": describe: more than " + std::to_string(limit) + " bytes"};
        if (status != SKH_OK) return frame.failure(status, instance->name(), "describe");
        return std::move(sink.bytes());
      },
      answer);
}

} // namespace skillhost
