// SPDX-License-Identifier: Apache-2.0
#include "ground/readiness.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

namespace skillhost {

Status awaitReadiness(AwaitedDescriptor awaited, int stop, Deadline deadline) {
  using std::chrono::milliseconds;
  for (;;) {
    milliseconds left = std::chrono::minutes(1); // per wait, then repeats
    if (!deadline.isNever())
      left = std::clamp(std::chrono::ceil<milliseconds>(deadline.at() - Deadline::Clock::now()),
                        milliseconds(0), left);
    const short events = awaited.direction == Direction::In ? POLLIN : POLLOUT;
    std::array<pollfd, 2> watched{{{awaited.number, events, 0}, {stop, POLLIN, 0}}};
    const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR)
      return {Fault::Internal, std::string("cannot wait: ") + std::strerror(errno)};
    if (ready > 0 && watched[1].revents != 0) return {Fault::Cancelled, "stopped"};
    if (deadline.passed()) return {Fault::ToolTimeout, "no answer in time"};
    if (ready > 0) return Done{};
  }
}

} // namespace skillhost
