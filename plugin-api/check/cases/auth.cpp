// SPDX-License-Identifier: Apache-2.0
// auth: every sort of wrong credential is refused, none is repeated, and no network is no welcome.
#include "cases.hpp"
#include "instance.hpp"
#include "json_text.hpp"
#include "network.hpp"
#include "sinks.hpp"

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

void checkCredential(Probe &probe, const Instance &instance, const Wrong &wrong) {
  probe.step("validate() of " + wrong.name);
  const Placed<skh_credential> credential(
      {sizeof(skh_credential), 0, borrow("bearer"), borrow(wrong.value),
       borrow("https://skillhost.invalid/mcp"), borrow("127.0.0.1:4711")},
      nullptr);
  const PrincipalSink sink;
  const StandInCall call(patience());
  const skh_status status = instance.operations<skh_auth>().validate(instance.self, call.raw(),
                                                                     credential.get(), sink.raw());
  if (status == SKH_OK && sink.accepted.empty())
    fail("validate() returns SKH_OK for " + wrong.name + " without accept()",
         "SKH_OK comes after exactly one accept(); anything else is SKH_DENIED");
  if (status == SKH_OK || !sink.accepted.empty())
    fail("validate() accepts " + wrong.name, "refuse what you cannot verify with SKH_DENIED");
  if (status != SKH_DENIED && status != SKH_UNAVAILABLE)
    probe.warn("validate() of " + wrong.name + " returns " + statusName(status),
               "a wrong credential is SKH_DENIED");
  if (call.said().find(canary) != std::string::npos)
    fail("the credential is in a message of fail() or progress()",
         "say what is wrong with a token, never what it is");
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

// Once nothing can be reached, and for good: the last thing in this process.
std::string checkWithoutNetwork(Probe &probe) {
  for (const skh_plugin *const plugin : knownPlugins(probe.entry())) {
    if (!isKind(*plugin, authKind)) continue;
    if ((plugin->flags & SKH_NETWORK) == 0) continue;
    probe.step("the network being taken away");
    if (!leaveNetwork()) return "; the network cannot be taken away here, so that is not checked";
    withInstance(probe, *plugin, probe.cacheDirectory(), [&](Instance &instance) {
      probe.step("check() without a network");
      const StandInCall call(patience());
      if (instance.operations<skh_auth>().check(instance.self, call.raw()) == SKH_OK)
        fail("check() returns SKH_OK without a network, which the plugin says that it needs",
             "check() is to reach the issuer: a host that starts without it lets nobody in, or "
             "worse");
    });
    return "; check() fails without a network";
  }
  return {};
}

} // namespace

void checkAuth(Probe &probe) {
  eachInstance(probe, authKind, [&](Instance &instance) {
    for (const Wrong &wrong : wrongCredentials()) checkCredential(probe, instance, wrong);
    checkDescription(probe, instance);
    checkSaid(instance);
  });
  probe.note("six wrong credentials refused, none repeated" + checkWithoutNetwork(probe));
}

} // namespace skillhost::check
