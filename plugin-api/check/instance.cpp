// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include "ground/shown.hpp"
#include "ground/utf8.hpp"

namespace skillhost::check {

StandInCall::Clock::time_point patience() {
  // Longer than the limit of a check. A call that does not return is killed and named.
  return StandInCall::Clock::now() + std::chrono::seconds(60);
}

std::string inBrackets(const std::string &message) {
  return message.empty() ? std::string{} : " (" + shownLine(cutUtf8(message, 300)) + ')';
}

StandInCall patientCall(const Instance &instance) {
  return StandInCall(patience(), StandInCall::never(), instance.host.minor());
}

Created create(Probe &probe, const skh_plugin &plugin, const StandInHost &host) {
  probe.step(std::string("create() of ") + plugin.id);
  const StandInCall call(patience(), StandInCall::never(), host.minor());
  call.excludeUpstream();
  Created created;
  created.status = plugin.create(host.raw(), call.raw(), &created.self);
  created.message = call.message();
  if (created.status > 0)
    fail("create() returns " + statusName(created.status) + ", which is no status",
         "return SKH_OK or one of the negative SKH_ values");
  return created;
}

void expectAsBefore(const ProcessState &before) {
  const ProcessState after = settledState(before.threads);
  const std::string left = differences(before, after);
  endChildren(after);
  if (!left.empty())
    fail("after destroy(): " + left,
         "leave the process as it was: join threads, wait for children, keep to your own "
         "descriptors and no signal handlers");
}

void withInstance(Probe &probe, const skh_plugin &plugin, const std::string &cacheDirectory,
                  const std::function<void(Instance &)> &body, std::uint32_t minor) {
  const ProcessState before = ProcessState::now();
  StandInHost host(probe.configuration(), cacheDirectory, std::nullopt, StandInHost::Upstream::Lent,
                   minor);
  const Created created = create(probe, plugin, host);
  if (created.status == SKH_INVALID && !probe.configured())
    skip("create() refuses the empty configuration" + inBrackets(created.message) +
         "; give one with --config FILE");
  if (created.status != SKH_OK)
    fail("create() returns " + statusName(created.status) + inBrackets(created.message),
         "SKH_INVALID when the configuration is wrong; what is down now is for the calls to say");
  Instance instance{plugin, host, created.self};
  body(instance);
  probe.step("destroy()");
  plugin.destroy(created.self);
  expectAsBefore(before);
}

void eachInstance(Probe &probe, std::string_view kind,
                  const std::function<void(Instance &)> &body) {
  unsigned count = 0;
  for (const skh_plugin *const plugin : knownPlugins(probe.loadEntry())) {
    if (!isKind(*plugin, kind)) continue;
    ++count;
    withInstance(probe, *plugin, probe.cacheDirectory(), body);
  }
  if (count == 0) doesNotApply("it has no plugin of kind " + std::string(kind));
}

} // namespace skillhost::check
