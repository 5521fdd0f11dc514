// SPDX-License-Identifier: Apache-2.0
// Tests the messages to the service manager, with a socket of ours in its place.
#include "base/service_notice.hpp"
#include "catch2.hpp"
#include "ground/descriptor.hpp"
#include "temporary_folder.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

using namespace skillhost;

namespace {

// The receiver at a name as in NOTIFY_SOCKET: a path, or "@" and an abstract name.
class Manager {
public:
  explicit Manager(std::string name) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(name.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    REQUIRE(::bind(socket_.number(), reinterpret_cast<const sockaddr *>(&address), size) == 0);
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }
  ~Manager() { ::unsetenv("NOTIFY_SOCKET"); }
  Manager(const Manager &) = delete;
  Manager &operator=(const Manager &) = delete;

  // Returns the next notification; a notification is there when the call that sends it returns.
  std::optional<std::string> heard() const {
    std::array<char, 4096> bytes{};
    const ssize_t size = ::recv(socket_.number(), bytes.data(), bytes.size(), 0);
    if (size < 0) return std::nullopt;
    return std::string(bytes.data(), static_cast<std::size_t>(size));
  }

private:
  Descriptor socket_;
};

struct WatchdogVariables {
  WatchdogVariables(const char *microseconds, const char *process) {
    ::setenv("WATCHDOG_USEC", microseconds, 1);
    if (process != nullptr) ::setenv("WATCHDOG_PID", process, 1);
  }
  ~WatchdogVariables() {
    ::unsetenv("WATCHDOG_USEC");
    ::unsetenv("WATCHDOG_PID");
  }
  WatchdogVariables(const WatchdogVariables &) = delete;
  WatchdogVariables &operator=(const WatchdogVariables &) = delete;
};

} // namespace

TEST_CASE("the service manager is told, by a path or by an abstract name") {
  const TemporaryFolder folder;
  const std::string abstract = "@skillhost-test-" + std::to_string(::getpid());
  for (const std::string &name : {folder.path() + "/notify", abstract}) {
    const Manager manager(name);
    notifyServiceManager("STOPPING=1");
    CHECK(manager.heard() == "STOPPING=1");
    notifyReady("Serving: one\ntwo");
    CHECK(manager.heard() == "READY=1\nSTATUS=Serving: one");
    CHECK_FALSE(manager.heard());
  }
}

TEST_CASE("who has not asked is not told, and who does not listen is no fault") {
  notifyServiceManager("READY=1");
  for (const std::string &name : {std::string(), std::string("@"),
                                  std::string("/nonexistent/notify"), std::string(4096, 'x')}) {
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
    CHECK_NOTHROW(notifyReady("Serving"));
  }
  ::unsetenv("NOTIFY_SOCKET");
}

TEST_CASE("a reload has its time") {
  const TemporaryFolder folder;
  const Manager manager(folder.path() + "/notify");
  notifyReloading();
  const std::string first = manager.heard().value_or("");
  notifyReloading();
  const std::string second = manager.heard().value_or("");
  const std::string begin = "RELOADING=1\nMONOTONIC_USEC=";
  REQUIRE(first.starts_with(begin));
  REQUIRE(second.starts_with(begin));
  CHECK(std::stoll(second.substr(begin.size())) >= std::stoll(first.substr(begin.size())));
}

TEST_CASE("the watchdog hears of us at half of its time") {
  const TemporaryFolder folder;
  const Manager manager(folder.path() + "/notify");
  const std::string ours = std::to_string(::getpid());
  SECTION("at once, and then not before") {
    const WatchdogVariables variables("3600000000", ours.c_str());
    ServiceWatchdog watchdog;
    watchdog.tick();
    watchdog.tick();
    CHECK(manager.heard() == "WATCHDOG=1");
    CHECK_FALSE(manager.heard());
  }
  SECTION("again when that has passed") {
    const WatchdogVariables variables("2000", nullptr); // of any started process
    ServiceWatchdog watchdog;
    watchdog.tick();
    CHECK(manager.heard() == "WATCHDOG=1");
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::optional<std::string> heard;
    while (!heard && std::chrono::steady_clock::now() < end) {
      watchdog.tick();
      heard = manager.heard();
    }
    CHECK(heard == "WATCHDOG=1");
  }
  SECTION("not when it waits for another process, or for nobody") {
    for (const auto &[time, process] : {std::pair{"2000", "1"},
                                        {"0", ours.c_str()},
                                        {"-5", ours.c_str()},
                                        {"2000 s", ours.c_str()},
                                        {"", ours.c_str()},
                                        {"2000", "x"}}) {
      const WatchdogVariables variables(time, process);
      ServiceWatchdog watchdog;
      watchdog.tick();
      CHECK_FALSE(manager.heard());
    }
  }
}
