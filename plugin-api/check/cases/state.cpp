// SPDX-License-Identifier: Apache-2.0
// state: values, counters and messages must behave as state.h promises, and two instances with one
// configuration must share them. Not tested: a key under which another product has stored a value.
#include "cases.hpp"
#include "state_parts.hpp"

namespace skillhost::check {
namespace {

// Creates a second instance with the configuration of the first, and destroys it in any case.
class SecondInstance {
public:
  SecondInstance(Probe &probe, const skh_plugin &plugin)
      : plugin_(plugin), host_(probe.configuration(), probe.cacheDirectory()),
        created_(create(probe, plugin, host_)) {
    if (created_.status != SKH_OK)
      fail("create() of a second instance returns " + statusName(created_.status) +
           inBrackets(created_.message));
  }
  ~SecondInstance() {
    if (created_.status == SKH_OK) plugin_.destroy(created_.self);
  }
  SecondInstance(const SecondInstance &) = delete;
  SecondInstance &operator=(const SecondInstance &) = delete;
  void *self() const noexcept { return created_.self; }

private:
  const skh_plugin &plugin_;
  const StandInHost host_;
  const Created created_;
};

void checkInstanceOfState(Probe &probe, const Instance &instance) {
  StateUser user(probe, instance, statePrefix());
  const skh_status status = user.check();
  if (status == SKH_UNAVAILABLE)
    skip("check() says that its engine is away" + user.message() +
         "; give a configuration of one that is there with --config FILE");
  expectStatus(user, status, SKH_OK, "check()");
  checkStateValues(user);
  checkStateCounters(user);
  checkStateLimits(user);
  checkStateMessages(user);
  const std::string prefix = statePrefix();
  const SecondInstance second(probe, instance.plugin);
  StateUser one(probe, instance, prefix), other(probe, instance.plugin, second.self(), prefix);
  checkStateShared(one, other);
  probe.step("destroy() of a second instance"); // the destructor of `second` calls it
}

} // namespace

void checkState(Probe &probe) {
  eachInstance(probe, stateKind,
               [&](Instance &instance) { checkInstanceOfState(probe, instance); });
  probe.note("values, counters and messages are as state.h says; two instances share them");
}

} // namespace skillhost::check
