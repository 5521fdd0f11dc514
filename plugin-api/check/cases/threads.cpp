// SPDX-License-Identifier: Apache-2.0
// threads: eight threads call one instance a hundred times each, unless it allows only one call at
// a time.
#include "cases.hpp"
#include "ground/guarded.hpp"
#include "operations.hpp"

#include <atomic>
#include <thread>

namespace skillhost::check {
namespace {

constexpr unsigned threadCount = 8, callCount = 100;

std::string hammer(const std::vector<Operation> &operations) {
  Guarded<std::string> fault;
  std::atomic<bool> stop = false;
  const auto enough = StandInCall::Clock::now() + std::chrono::seconds(5);
  const auto work = [&](unsigned number) {
    for (unsigned i = 0; i < callCount && !stop && StandInCall::Clock::now() < enough; ++i) {
      const Operation &operation = operations[(number + i) % operations.size()];
      const StandInCall call(patience());
      const Answer answer = operation.run(call);
      std::string wrong = answer.fault;
      if (wrong.empty() && operation.succeeds && answer.status != SKH_OK)
        wrong =
            operation.name + " returns " + statusName(answer.status) + inBrackets(call.message());
      if (wrong.empty()) continue;
      stop = true;
      fault.with([&](std::string &first) {
        if (first.empty()) first = wrong;
      });
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(threadCount);
  for (unsigned i = 0; i < threadCount; ++i) threads.emplace_back(work, i);
  for (std::thread &thread : threads) thread.join();
  return fault.copy();
}

} // namespace

void checkThreads(Probe &probe) {
  probe.note("eight threads at once");
  eachKnownInstance(probe, [&](Instance &instance) {
    if ((instance.plugin.flags & SKH_SERIAL) != 0 || isKind(instance.plugin, observerKind)) {
      probe.note("its calls never overlap: it is SKH_SERIAL, or an observer");
      return;
    }
    const std::vector<Operation> operations = operationsOf(probe, instance);
    probe.step("calls from eight threads");
    if (const std::string fault = hammer(operations); !fault.empty())
      fail("with eight threads at once: " + fault, "lock what calls share, or set SKH_SERIAL");
  });
}

} // namespace skillhost::check
