// SPDX-License-Identifier: Apache-2.0
#include "base/orderly_end.hpp"

#include "base/log.hpp"

#include <cstdlib>
#include <exception>
#include <thread>

namespace skillhost {

void endWithin(std::chrono::milliseconds span) try {
  std::thread([span] {
    std::this_thread::sleep_for(span);
    log::warning("server", "ended with calls into plugins still under way");
    log::finish(patienceWithLog);
    std::_Exit(0);
  }).detach();
} catch (const std::exception &why) {
  // Without memory for a thread, the process still ends in order, but may take longer.
  log::failure("server", {"the end waits for all calls into plugins"}, why);
}

} // namespace skillhost
