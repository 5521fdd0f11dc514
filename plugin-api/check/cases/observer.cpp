// SPDX-License-Identifier: Apache-2.0
// observer: the plugin takes every event that it wants, with texts that are usual, empty or of the
// greatest length, one at a time and many in one batch.
#include "cases.hpp"
#include "observer_calls.hpp"

#include <skillhost/observer.h>

namespace skillhost::check {
namespace {

constexpr std::size_t maxTextBytes = 8192, maxJsonBytes = 64U << 10U, maxBatch = 256;

void expectTaken(Probe &probe, const Instance &instance, const SampleEvents &sample,
                 std::size_t rounds, const std::string &what) {
  const StandInCall call(patience());
  std::string where;
  probe.step("a batch of " + what);
  const skh_status status = tellBatch(instance, call, sample, rounds, where);
  if (status == SKH_OK) return;
  if (call.message().empty())
    fail(where + " returns " + statusName(status) + " without a word",
         "say why with fail(): the operator reads it");
  fail(where + " of " + what + " returns " + statusName(status) + inBrackets(call.message()),
       "the host counts all events of the batch as lost");
}

void checkInstance(Probe &probe, const Instance &instance) {
  constexpr std::uint32_t known = SKH_EVENT_CALL_ENDED | SKH_EVENT_REFUSED |
                                  SKH_EVENT_CATALOGUE_CHANGED | SKH_EVENT_AUDIT_RECORD |
                                  SKH_EVENT_LOG_RECORD;
  if ((instance.operations<skh_observer>().wants & known) == 0)
    probe.warn("it wants no event that this version of the interface has",
               "set wants to the SKH_EVENT_ that it is to be told of");
  expectTaken(probe, instance, usualEvents, 1, "usual events");
  expectTaken(probe, instance, {"", ""}, 1, "events whose texts are empty");
  std::string text, json = R"({"event":")";
  while (text.size() + 2 <= maxTextBytes) text += "ü"; // each has two bytes
  json.append(maxJsonBytes - json.size() - 2, 'x').append("\"}");
  expectTaken(probe, instance, {text, json}, 1, "events whose texts are as long as they may be");
  expectTaken(probe, instance, usualEvents, maxBatch / 5, "many events");
}

} // namespace

void checkObserver(Probe &probe) {
  eachInstance(probe, observerKind, [&](Instance &instance) { checkInstance(probe, instance); });
  probe.note("takes every event that it wants, of any size, alone and in batches");
}

} // namespace skillhost::check
