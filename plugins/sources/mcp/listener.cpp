// SPDX-License-Identifier: Apache-2.0
#include "listener.hpp"

#include "http_channel.hpp"
#include "notifications.hpp"
#include "stream_allowance.hpp"

#include "ground/back_off.hpp"
#include "ground/json.hpp"
#include "ground/json_member.hpp"
#include "ground/readiness.hpp"
#include "http_client/connections.hpp"
#include "http_client/signal_guard.hpp"
#include "mcp_client/conversation.hpp"
#include "mcp_client/greeting.hpp"
#include "remote/schedule.hpp"

#include <nlohmann/json.hpp>

#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace skillhost::mcp_source {
namespace {

using Clock = remote::Operation::Clock;

constexpr std::chrono::seconds lasting{60}; // a connection that lasts so long is opened again soon

} // namespace

Listener::Listener(skh::Host host, const Settings &settings, Credential &credential,
                   std::function<void()> changed)
    : host_(host), settings_(settings), credential_(credential), changed_(std::move(changed)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) throw skh::Error(SKH_UNAVAILABLE, "eventfd: no descriptor left");
  thread_ = std::jthread([this](const std::stop_token &stop) { run(stop); });
}

Listener::~Listener() {
  thread_.request_stop();
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t done = ::write(wake_.number(), &one, sizeof one);
  thread_.join();
}

void Listener::run(const std::stop_token &stop) {
  const web::SignalGuard guard; // the server may close the connection
  BackOff pauses{remote::failures};
  bool isTokenNew = false; // a refused token has just been replaced
  while (!stop.stop_requested()) {
    std::string why;
    std::optional<std::chrono::seconds> demanded;
    const Clock::time_point begun = Clock::now();
    try {
      std::optional<std::string> ended = listen(stop);
      if (!ended) {
        host_.log(SKH_DEBUG, settings_.shownServer + ": the server does not tell of changes");
        return;
      }
      why = *std::move(ended);
    } catch (const TokenRefused &error) {
      why = error.what();
      demanded = error.retryAfter();
      if (!demanded && !std::exchange(isTokenNew, true)) continue;
    } catch (const remote::RemoteError &error) {
      why = error.what();
      demanded = error.retryAfter();
    } catch (const std::exception &error) {
      why = error.what();
    }
    if (!stop.stop_requested())
      host_.log(SKH_DEBUG, settings_.shownServer + ": waiting for changes: " + why);
    if (Clock::now() - begun >= lasting) {
      pauses.reset();
      isTokenNew = false;
    }
    static_cast<void>(awaitReadiness({wake_.number(), Direction::In}, -1,
                                     Deadline::after(remote::nextPause(pauses, demanded))));
  }
}

// Returns why the connection has ended, or throws; nothing if the server does not tell of changes.
std::optional<std::string> Listener::listen(const std::stop_token &stop) {
  web::Connections connections;
  StreamAllowance allowance(maxNotificationBytesPerMinute);
  remote::Operation operation([&stop] { return stop.stop_requested(); }, Clock::time_point::max(),
                              std::numeric_limits<std::uint64_t>::max(),
                              [&](std::uint64_t all) { allowance.take(all, Clock::now()); });
  HttpChannel *channel = nullptr;
  const std::string agent = std::string(host_.name()) + "/" + std::string(host_.version());
  const OpenServer open = [&]() -> Result<std::unique_ptr<ServerChannel>> {
    auto opened =
        std::make_unique<HttpChannel>(settings_, agent, credential_, connections, operation);
    channel = opened.get();
    channel->limitAnswers(maxNotificationBytes);
    return {std::move(opened)};
  };
  Result<GreetedServer> greeted = greet(open, Deadline::never(), std::string(host_.version()));
  if (!greeted) throw remote::RemoteError(greeted.failure().message);
  if (!offersNotifications(greeted->capabilities)) return std::nullopt;
  channel->allowSilence(wake_.number(), changed_);
  if (greeted->params.contains("_meta")) {
    const Json request = listenRequest(greeted->params);
    static_cast<void>(channel->send(request.dump(), Deadline::never()));
  } else {
    channel->openStream(listenId);
  }
  for (;;) {
    const Result<std::string> text = channel->receive(Deadline::never());
    if (!text) return text.failure().message;
    const std::optional<Json> message = readJsonObject(*text, maxNotificationDepth);
    if (!message) continue;
    if (message->contains("method")) {
      if (message->contains("id")) {
        const Status answered =
            greeted->conversation.answer(*message, Deadline::after(settings_.stallTimeout));
        if (!answered) return answered.failure().message;
      } else if (tellsOfChange(*message)) {
        changed_();
      }
    } else if (memberOf(*message, "id") == listenId) {
      const Json &error = memberOf(*message, "error");
      if (memberOf(error, "code") == methodNotFound) return std::nullopt;
      return "the server has ended it: " + shownWords(memberText(error, "message"));
    }
  }
}

} // namespace skillhost::mcp_source
