// SPDX-License-Identifier: Apache-2.0
#include "login/redirect_listener.hpp"

#include "ground/readiness.hpp"
#include "net/http_server.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <charconv>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view redirectPath = "/callback";

HttpSettings loopbackOn(std::uint16_t port) {
  HttpSettings settings;
  settings.addresses = {{"127.0.0.1", port}};
  // Browsers open connections that they never use, and so may any process on this machine. Short
  // time limits close these, and the limit leaves room until then.
  settings.maxConnections = 256;
  settings.headTimeout = std::chrono::seconds(5);
  settings.idleTimeout = std::chrono::seconds(5);
  settings.maxBodyBytes = 1024;
  settings.stopTimeout = std::chrono::milliseconds(500);
  return settings;
}

std::string page(std::string_view words) {
  return R"(<!doctype html><html lang="en"><meta charset="utf-8"><title>skillhost</title><p>)" +
         std::string(words) + "</p></html>";
}

void say(HttpExchange &exchange, int status, std::string_view words) {
  exchange.respond({status,
                    "text/html; charset=utf-8",
                    {{"Content-Security-Policy", "default-src 'none'"},
                     {"Cache-Control", "no-store"},
                     {"Referrer-Policy", "no-referrer"}},
                    Fragments(page(words))});
}

} // namespace

class RedirectListener::Inner {
public:
  Inner(std::uint16_t port, std::string state) : state_(std::move(state)) {
    try {
      open(port);
    } catch (const std::runtime_error &) {
      if (port == 0) throw;
      open(0); // another process uses the port
    }
    const std::string &name = server_->endpoints().front().name;
    const std::size_t colon = name.rfind(':');
    std::from_chars(name.data() + colon + 1, name.data() + name.size(), port_);
    thread_ = std::thread([this] { server_->run(); });
  }
  ~Inner() {
    server_->stop();
    thread_.join();
    ::close(come_);
  }
  Inner(const Inner &) = delete;
  Inner &operator=(const Inner &) = delete;

  std::uint16_t port() const noexcept { return port_; }

  Result<FormFields> wait(int stop, Deadline deadline) {
    if (Status ready = awaitReadiness({come_, Direction::In}, stop, deadline); !ready)
      return std::move(ready).failure();
    const std::scoped_lock lock(mutex_);
    return *fields_;
  }

private:
  void open(std::uint16_t port) {
    server_ = std::make_unique<HttpServer>(
        loopbackOn(port),
        [this](const std::shared_ptr<HttpExchange> &exchange) { answer(*exchange); });
    server_->start();
  }

  void answer(HttpExchange &exchange) {
    const HttpRequest &request = exchange.request();
    if (request.method != "GET" || request.path != redirectPath)
      return say(exchange, 404, "Not found.");
    FormFields fields = formDecoded(request.query);
    if (valueOf(fields, "state") != state_)
      return say(exchange, 400, "This is not the sign-in that was asked for. Please start again.");
    const bool good = valueOf(fields, "error").empty();
    {
      const std::scoped_lock lock(mutex_);
      if (!fields_) fields_ = std::move(fields);
    }
    say(exchange, good ? 200 : 400,
        good ? "You can close this window now and go back to your work."
             : "Signing in has failed. The program that asked for it says why.");
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(come_, &one, sizeof one);
  }

  const std::string state_;
  const int come_ = ::eventfd(0, EFD_CLOEXEC);
  std::mutex mutex_;
  std::optional<FormFields> fields_;
  std::unique_ptr<HttpServer> server_;
  std::uint16_t port_ = 0;
  std::thread thread_; // last: it uses the other members
};

RedirectListener::RedirectListener(std::uint16_t port, std::string state)
    : inner_(std::make_unique<Inner>(port, std::move(state))) {}
RedirectListener::~RedirectListener() = default;

std::uint16_t RedirectListener::port() const noexcept { return inner_->port(); }
std::string RedirectListener::address() const {
  return "http://127.0.0.1:" + std::to_string(port()) + std::string(redirectPath);
}
Result<FormFields> RedirectListener::wait(int stop, Deadline deadline) {
  return inner_->wait(stop, deadline);
}

} // namespace skillhost
