// SPDX-License-Identifier: Apache-2.0
// old-host: the plugin must work with a host of the oldest minor that it does not rule out by
// needs_minor. That host has no extensions and no cache directory, and its structs end where
// readable memory ends.
#include "cases.hpp"
#include "operations.hpp"

namespace skillhost::check {

void checkOldHost(Probe &probe) {
  const std::uint32_t minor = probe.loadEntry().needs_minor;
  const std::string version = "1." + std::to_string(minor);
  if (minor >= SKH_ABI_MINOR)
    doesNotApply("it needs plugin API " + version + " (needs_minor), so no older host loads it");
  const auto works = [&](Instance &instance) {
    for (const Operation &operation : operationsOf(probe, instance)) {
      const StandInCall call(patience(), StandInCall::never(), minor);
      probe.step(operation.name + " with a host of " + version);
      const Answer answer = operation.run(call);
      if (!answer.fault.empty()) fail("with a host of " + version + ": " + answer.fault);
      if (operation.succeeds && answer.status != SKH_OK)
        fail("with a host of " + version + ' ' + operation.name + " returns " +
             statusName(answer.status) + inBrackets(call.message()));
    }
  };
  for (const skh_plugin *const plugin : knownPlugins(probe.loadEntry())) {
    const StandInHost host(probe.configuration(), "", std::nullopt, StandInHost::Upstream::Lent,
                           minor);
    const Created created = create(probe, *plugin, host);
    if (created.status == SKH_INVALID && !probe.configured())
      skip("create() wants a configuration; give one with --config FILE");
    if (created.status != SKH_OK)
      fail("create() fails without extensions and without a cache directory: " +
               statusName(created.status) + inBrackets(created.message),
           "do without what a host does not have; raise needs_minor only for a newer field");
    plugin->destroy(created.self);
    withInstance(probe, *plugin, "", works, minor);
  }
  probe.note("works with minor " + std::to_string(minor) + ", no extensions, no cache directory");
}

} // namespace skillhost::check
