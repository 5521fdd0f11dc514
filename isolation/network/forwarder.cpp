// SPDX-License-Identifier: Apache-2.0
#include "network/forwarder.hpp"

#include "base/log.hpp"
#include "ground/guarded.hpp"
#include "ground/random.hpp"
#include "network/forwarding.hpp"
#include "network/resolver.hpp"
#include "network/socket_supply.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <list>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

namespace skillhost::network {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t maxConnections = 512;    // all instances together
constexpr std::size_t maxSuppliedSockets = 64; // supplied sockets of one instance at once
constexpr std::size_t secretBytes = 24;
constexpr std::chrono::milliseconds pause{200}; // pause of accepting after it failed

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

std::uint16_t portOf(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

Descriptor streamSocket() {
  return Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

} // namespace

class Forwarder final : public ForwardingHost {
public:
  // Throws std::system_error.
  explicit Forwarder(Upstreams upstreams)
      : upstreams_(std::move(upstreams)), listener_(streamSocket()),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), resolver_(wake_.number()) {
    const sockaddr_in address = loopback(0);
    if (!listener_ || !wake_ ||
        ::bind(listener_.number(), reinterpret_cast<const sockaddr *>(&address), sizeof address) !=
            0 ||
        ::listen(listener_.number(), 128) != 0)
      throw std::system_error(errno, std::generic_category());
    port_ = portOf(listener_.number());
    thread_ = std::thread([this] { run(); });
  }
  ~Forwarder() {
    ended_ = true;
    wakeUp();
    thread_.join();
  }
  Forwarder(const Forwarder &) = delete;
  Forwarder &operator=(const Forwarder &) = delete;

  std::uint16_t port() const noexcept { return port_; }
  void admit(const std::shared_ptr<Permit> &permit) {
    permits_.with([&](auto &all) { all.emplace(permit->credentials, permit); });
  }
  void withdraw(const std::shared_ptr<Permit> &permit) {
    permits_.with([&](auto &all) { all.erase(permit->credentials); });
    permit->withdrawn = true;
    wakeUp();
  }
  void attach(Descriptor channel, std::shared_ptr<Permit> permit) {
    arriving_.with(
        [&](auto &all) { all.push_back({SocketSupply(std::move(channel)), std::move(permit)}); });
    wakeUp();
  }

  std::shared_ptr<Permit> permit(const std::string &credentials) override {
    return permits_.with([&](const auto &all) -> std::shared_ptr<Permit> {
      const auto found = all.find(credentials);
      return found == all.end() ? nullptr : found->second;
    });
  }
  const std::optional<Upstream> &upstream(const std::string &host, bool tunnel) override {
    return upstreams_.choose(host, tunnel);
  }
  bool resolve(std::uint64_t number, const std::string &name) override {
    return resolver_.enqueue(number, name);
  }

private:
  struct Supplied {
    SocketSupply supply;
    std::shared_ptr<Permit> permit;
  };

  void wakeUp() noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.number(), &one, sizeof one);
  }
  void run();
  void pollOnce();
  void handleWake();
  void accept();
  void handleEvents(Supplied &one, bool &gone);
  Descriptor supplyTo(const std::shared_ptr<Permit> &permit);

  const Upstreams upstreams_;
  Descriptor listener_;
  const Descriptor wake_;
  Resolver resolver_;
  std::uint16_t port_ = 0;
  std::atomic<bool> ended_{false};
  Guarded<std::map<std::string, std::shared_ptr<Permit>>> permits_; // by credentials
  Guarded<std::list<Supplied>> arriving_;
  // Only the forwarder's thread uses the members below.
  std::list<Supplied> supplies_;
  std::list<Forwarding> open_;
  // By port, until the connection is accepted.
  std::map<std::uint16_t, std::shared_ptr<Permit>> supplied_;
  std::uint64_t count_ = 0;
  Moment acceptFrom_{};
  std::thread thread_;
};

void Forwarder::run() {
  sigset_t all; // blocked here, so that signals reach the thread that waits for them
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (!ended_) try {
      pollOnce();
    } catch (const std::exception &why) {
      log::error("network", std::string("a connection of a plugin was dropped: ") + why.what());
      if (!open_.empty()) open_.pop_back();
    }
}

void Forwarder::pollOnce() {
  const bool hasRoom = open_.size() < maxConnections && SteadyClock::now() >= acceptFrom_;
  std::vector<pollfd> watched{{wake_.number(), POLLIN, 0},
                              {hasRoom ? listener_.number() : -1, POLLIN, 0}};
  for (const Supplied &one : supplies_) watched.push_back({one.supply.number(), POLLIN, 0});
  // Other calls below may append connections, which were not polled.
  std::size_t known = open_.size();
  Moment next = hasRoom ? Moment::max() : acceptFrom_;
  for (const Forwarding &one : open_) {
    one.watch(watched);
    next = std::min(next, one.deadline());
  }
  int span = -1;
  if (next != Moment::max())
    span = static_cast<int>(std::clamp<std::int64_t>(
        std::chrono::ceil<std::chrono::milliseconds>(next - SteadyClock::now()).count(), 0,
        60'000));
  if (::poll(watched.data(), watched.size(), span) < 0) return;
  auto seen = watched.begin() + 2;
  for (auto one = supplies_.begin(); one != supplies_.end();) {
    const short events = (seen++)->revents;
    // The runner has ended. Without POLLIN, reading would block.
    bool gone = (events & (POLLHUP | POLLERR | POLLNVAL)) != 0 && (events & POLLIN) == 0;
    if ((events & POLLIN) != 0) handleEvents(*one, gone);
    one = gone ? supplies_.erase(one) : std::next(one);
  }
  const Moment now = SteadyClock::now();
  for (Forwarding &one : open_) {
    if (known-- == 0) break;
    const short client = (seen++)->revents, server = (seen++)->revents;
    one.handleEvents(client, server);
    if (!one.hasEnded() && one.deadline() <= now) one.onDeadline();
  }
  if (watched[0].revents != 0) handleWake();
  open_.remove_if([](const Forwarding &one) { return one.hasEnded(); });
  if (watched[1].revents != 0 || !supplied_.empty()) accept();
}

void Forwarder::handleWake() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(wake_.number(), &count, sizeof count);
  arriving_.with([&](auto &all) { supplies_.splice(supplies_.end(), all); });
  for (const Resolver::Answer &answer : resolver_.takeAnswers())
    for (Forwarding &one : open_)
      if (one.number() == answer.number) one.resolved(answer.addresses);
  for (Forwarding &one : open_) one.endIfWithdrawn();
  supplies_.remove_if([](const Supplied &one) { return one.permit->withdrawn.load(); });
}

void Forwarder::accept() {
  while (open_.size() < maxConnections) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    Descriptor client(::accept4(listener_.number(), reinterpret_cast<sockaddr *>(&peer), &size,
                                SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!client) {
      // All supplied sockets are accepted by now. If the process ran out of descriptors, one will
      // become free later.
      supplied_.clear();
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
        acceptFrom_ = SteadyClock::now() + pause;
      return;
    }
    std::shared_ptr<Permit> permit;
    if (const auto known = supplied_.extract(ntohs(peer.sin_port)); !known.empty())
      permit = known.mapped();
    open_.emplace_back(*this, ++count_, std::move(client), std::move(permit));
  }
}

void Forwarder::handleEvents(Supplied &one, bool &gone) {
  gone = !one.supply.handleEvents(
      port_, [&] { return supplyTo(one.permit); },
      [&](const std::string &address) {
        one.permit->reportRefused(address, "not by the proxy that https_proxy names");
      });
}

// Connects within this machine, so the socket is in the listener's queue at once.
Descriptor Forwarder::supplyTo(const std::shared_ptr<Permit> &permit) {
  if (permit->open >= maxSuppliedSockets || open_.size() >= maxConnections) return {};
  Descriptor made = streamSocket();
  const sockaddr_in address = loopback(port_);
  if (!made) return made;
  const int done =
      ::connect(made.number(), reinterpret_cast<const sockaddr *>(&address), sizeof address);
  if (done != 0 && errno != EINPROGRESS) return {};
  const std::uint16_t from = portOf(made.number());
  if (from == 0) return {};
  supplied_[from] = permit;
  accept();
  return made;
}

Result<std::shared_ptr<ForwarderAccess>> ForwarderAccess::open(const std::string &instance,
                                                               NetworkRule rule) try {
  static Guarded<std::weak_ptr<Forwarder>> shared;
  Result<Upstreams> upstreams = Upstreams::ofEnvironment();
  if (!upstreams) return upstreams.failure();
  std::shared_ptr<Forwarder> forwarder = shared.with([&](std::weak_ptr<Forwarder> &known) {
    std::shared_ptr<Forwarder> one = known.lock();
    if (!one) known = one = std::make_shared<Forwarder>(*std::move(upstreams));
    return one;
  });
  const std::string user = "plugin:" + randomHex(secretBytes);
  auto permit = std::make_shared<Permit>(instance, std::move(rule), basicCredentials(user));
  const std::string url = "http://" + user + "@127.0.0.1:" + std::to_string(forwarder->port());
  forwarder->admit(permit);
  return std::make_shared<ForwarderAccess>(std::move(forwarder), std::move(permit), url);
} catch (const std::system_error &why) {
  return {Fault::Unavailable, std::string("there can be no forwarder: ") + why.what()};
}

ForwarderAccess::ForwarderAccess(std::shared_ptr<Forwarder> forwarder,
                                 std::shared_ptr<Permit> permit, std::string url)
    : forwarder_(std::move(forwarder)), permit_(std::move(permit)), url_(std::move(url)) {}

ForwarderAccess::~ForwarderAccess() { forwarder_->withdraw(permit_); }

Descriptor ForwarderAccess::supply() {
  auto [ours, theirs] = socketPair();
  forwarder_->attach(std::move(ours), permit_);
  return std::move(theirs);
}

} // namespace skillhost::network
