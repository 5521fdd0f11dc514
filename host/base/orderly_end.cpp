// SPDX-License-Identifier: Apache-2.0
#include "base/orderly_end.hpp"

#include "base/log.hpp"

#include <cstdlib>
#include <thread>

namespace skillhost {

void endWithin(std::chrono::milliseconds span) {
  std::thread([span] {
    std::this_thread::sleep_for(span);
    log::warning("server", "ended with calls into plugins still under way");
    log::finish(patienceWithLog);
    std::_Exit(0);
  }).detach();
}

} // namespace skillhost
