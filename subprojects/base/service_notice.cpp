// SPDX-License-Identifier: Apache-2.0
#include "base/service_notice.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <system_error>

namespace skillhost {
namespace {

// Returns a variable that is a whole number above 0.
std::optional<std::int64_t> positiveNumber(const char *name) {
  const char *const text = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
  const std::string_view value = text == nullptr ? "" : text;
  std::int64_t result = 0;
  const char *const begin = value.data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
  const char *const end = begin + value.size();
  const auto read = std::from_chars(begin, end, result);
  if (read.ec != std::errc{} || read.ptr != end || result <= 0) return std::nullopt;
  return result;
}

void send(std::string_view state, int flags) noexcept {
  const char *const path = std::getenv("NOTIFY_SOCKET"); // NOLINT(concurrency-mt-unsafe)
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = path == nullptr ? 0 : std::strlen(path);
  if (length < 2 || length >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path, length);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0'; // an abstract socket name
  const int sender = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (sender < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  // If the message is lost, the service manager reports a timeout itself.
  [[maybe_unused]] const ssize_t sent =
      ::sendto(sender, state.data(), state.size(), flags,
               reinterpret_cast<const sockaddr *>(&address), size);
  ::close(sender);
}

} // namespace

void notifyServiceManager(std::string_view state) noexcept { send(state, MSG_NOSIGNAL); }

void notifyReloading() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now); // systemd compares it with this clock
  const auto microseconds = static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  notifyServiceManager("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
}

void notifyReady(std::string_view status) {
  notifyServiceManager("READY=1\nSTATUS=" + std::string(status.substr(0, status.find('\n'))));
}

ServiceWatchdog::ServiceWatchdog() : next_(Clock::now()) {
  const auto process = positiveNumber("WATCHDOG_PID");
  if (std::getenv("WATCHDOG_PID") != nullptr &&
      process != ::getpid()) // NOLINT(concurrency-mt-unsafe)
    return;
  constexpr std::int64_t maxMicroseconds = 86'400'000'000; // a day; no service manager waits longer
  if (const auto waits = positiveNumber("WATCHDOG_USEC"); waits && *waits <= maxMicroseconds)
    interval_ = std::chrono::microseconds(*waits) / 2;
}

void ServiceWatchdog::tick() {
  if (interval_ == Clock::duration::zero()) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + interval_;
  // This thread serves all clients, so it must not block.
  send("WATCHDOG=1", MSG_NOSIGNAL | MSG_DONTWAIT);
}

} // namespace skillhost
