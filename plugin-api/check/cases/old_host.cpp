// SPDX-License-Identifier: Apache-2.0
// old-host: the plugin must work with a host of minor 0, which has no extensions and no cache
// directory, and whose structs end where readable memory ends.
#include "cases.hpp"
#include "operations.hpp"

namespace skillhost::check {

void checkOldHost(Probe &probe) {
  const auto works = [&](Instance &instance) {
    for (const Operation &operation : operationsOf(probe, instance)) {
      const StandInCall call(patience());
      probe.step(operation.name + " with a host of 1.0");
      const Answer answer = operation.run(call);
      if (!answer.fault.empty()) fail("with a host of 1.0: " + answer.fault);
      if (operation.succeeds && answer.status != SKH_OK)
        fail("with a host of 1.0 " + operation.name + " returns " + statusName(answer.status) +
             inBrackets(call.message()));
    }
  };
  for (const skh_plugin *const plugin : knownPlugins(probe.loadEntry())) {
    const StandInHost host(probe.configuration(), "");
    const Created created = create(probe, *plugin, host);
    if (created.status == SKH_INVALID && !probe.configured())
      skip("create() wants a configuration; give one with --config FILE");
    if (created.status != SKH_OK)
      fail("create() fails without extensions and without a cache directory: " +
               statusName(created.status) + inBrackets(created.message),
           "do without what a host does not have; raise needs_minor only for a newer field");
    plugin->destroy(created.self);
    withInstance(probe, *plugin, "", works);
  }
  probe.note("works with minor 0, no extensions, no cache directory");
}

} // namespace skillhost::check
