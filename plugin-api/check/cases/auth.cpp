// SPDX-License-Identifier: Apache-2.0
// auth: every kind of wrong credential must be refused, no credential may be repeated, and without
// a network nobody may be accepted.
#include "cases.hpp"
#include "instance.hpp"
#include "json_text.hpp"
#include "sinks.hpp"

#include <skillhost/caller.h>

namespace skillhost::check {
namespace {

struct Wrong {
  std::string name, value;
};

std::vector<Wrong> wrongCredentials() {
  std::string binary;
  for (int byte = 0; byte < 256; ++byte) binary += static_cast<char>(byte);
  return {{"an empty credential", ""},
          {"one of 1 MiB", std::string(1024 * 1024, 'a')},
          {"256 binary bytes", binary},
          {"three dots", "..."},
          {"an unsigned token", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9."},
          {"a made-up token", std::string(canary)}};
}

void expectKept(const StandInCall &call) {
  if (call.said().find(canary) != std::string::npos)
    fail("the credential is in a message of fail() or progress()",
         "say what is wrong with a token, never what it is");
}

// Fails unless the call refused: `function` must not accept `given`, and must not repeat it in a
// message.
void expectRefused(Probe &probe, const std::string &function, const std::string &given,
                   skh_status status, const PrincipalSink &sink, const StandInCall &call) {
  if (status == SKH_OK && sink.accepted.empty())
    fail(function + " returns SKH_OK for " + given + " without accept()",
         "SKH_OK comes after exactly one accept(); anything else is SKH_DENIED");
  if (status == SKH_OK || !sink.accepted.empty())
    fail(function + " accepts " + given, "refuse what you cannot verify with SKH_DENIED");
  if (status != SKH_DENIED && status != SKH_UNAVAILABLE)
    probe.warn(function + " of " + given + " returns " + statusName(status),
               "a wrong credential is SKH_DENIED");
  expectKept(call);
}

Placed<skh_credential> placed(std::string_view scheme, const Wrong &wrong) {
  return {{sizeof(skh_credential), 0, borrow(scheme), borrow(wrong.value),
           borrow("https://skillhost.invalid/mcp"), borrow("127.0.0.1:4711")},
          nullptr};
}

void checkCredential(Probe &probe, const Instance &instance, const Wrong &wrong) {
  probe.step("validate() of " + wrong.name);
  const Placed<skh_credential> credential = placed("bearer", wrong);
  const PrincipalSink sink;
  const StandInCall call(patience());
  const skh_status status = instance.operations<skh_auth>().validate(instance.self, call.raw(),
                                                                     credential.get(), sink.raw());
  expectRefused(probe, "validate()", wrong.name, status, sink, call);
}

void checkCaller(Probe &probe, const Instance &instance, const skh_callers &table,
                 std::string_view scheme, const Wrong &wrong, const std::vector<skh_str> &headers) {
  const std::string function = "validate() of skh.caller/1";
  probe.step(function + ", " + wrong.name);
  const Placed<skh_credential> credential = placed(scheme, wrong);
  const Placed<skh_caller> caller({sizeof(skh_caller),
                                   static_cast<std::uint32_t>(headers.size() / 2), credential.get(),
                                   nullptr, headers.data()},
                                  nullptr);
  const PrincipalSink sink;
  const StandInCall call(patience());
  const skh_status status = table.validate(instance.self, call.raw(), caller.get(), sink.raw());
  // The host then calls the other validate(), or refuses.
  if (status == SKH_UNSUPPORTED && sink.accepted.empty()) return expectKept(call);
  expectRefused(probe, function, wrong.name, status, sink, call);
}

// Returns true if the plugin also validates callers. By caller.h it must not accept a caller on its
// word alone either.
bool checkCallers(Probe &probe, const Instance &instance) {
  const skh_plugin &plugin = instance.plugin;
  if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return false;
  const auto *const table =
      static_cast<const skh_callers *>(plugin.extension(instance.self, SKH_CALLER));
  const bool isTable = SKH_IS_CALLERS(table);
  if (!isTable) return false;
  for (const Wrong &wrong : wrongCredentials())
    checkCaller(probe, instance, *table, "bearer", wrong, {});
  checkCaller(probe, instance, *table, "none", {"a header field that no configuration names", ""},
              {borrow("x-skillhost-check"), borrow(canary)});
  return true;
}

void checkSaid(const Instance &instance) {
  if (instance.host.said().find(canary) != std::string::npos)
    fail("the credential is in the log", "say what is wrong with a token, never what it is");
}

void checkDescription(Probe &probe, const Instance &instance) {
  probe.step("describe()");
  const ByteSink sink(1024 * 1024);
  const StandInCall call(patience());
  const skh_status status =
      instance.operations<skh_auth>().describe(instance.self, call.raw(), sink.raw());
  if (status == SKH_UNSUPPORTED || status == SKH_UNAVAILABLE) return;
  if (status != SKH_OK)
    fail("describe() returns " + statusName(status) + inBrackets(call.message()));
  if (const std::string fault = faultInObject(sink.bytes); !fault.empty())
    fail("describe() gives no JSON object: " + fault, "protected-resource metadata of RFC 9728");
}

bool reachesOthers(const skh_plugin &plugin) {
  return isKind(plugin, authKind) && (plugin.flags & SKH_NETWORK) != 0;
}

} // namespace

void checkAuth(Probe &probe) {
  std::string callers;
  eachInstance(probe, authKind, [&](Instance &instance) {
    for (const Wrong &wrong : wrongCredentials()) checkCredential(probe, instance, wrong);
    if (checkCallers(probe, instance)) callers = ", by skh.caller/1 too";
    checkDescription(probe, instance);
    checkSaid(instance);
  });
  for (const skh_plugin *const plugin : knownPlugins(probe.loadEntry()))
    if (reachesOthers(*plugin)) probe.setReachesOthers();
  probe.note("six wrong credentials refused, none repeated" + callers);
}

void checkAuthOffline(Probe &probe) {
  if (!probe.offline()) return;
  for (const skh_plugin *const plugin : knownPlugins(probe.loadEntry())) {
    if (!reachesOthers(*plugin)) continue;
    withInstance(probe, *plugin, probe.cacheDirectory(), [&](Instance &instance) {
      probe.step("check() without a network");
      const StandInCall call(patience());
      if (instance.operations<skh_auth>().check(instance.self, call.raw()) == SKH_OK)
        fail("check() returns SKH_OK without a network, which the plugin says that it needs",
             "check() is to reach the issuer: a host that starts without it lets nobody in, or "
             "worse");
    });
  }
  probe.note("; check() fails without a network");
}

} // namespace skillhost::check
