// SPDX-License-Identifier: Apache-2.0
#include "connection/connector.hpp"

#include "calls.hpp"
#include "rpc/handshake.hpp"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxRequests = 256;
constexpr std::chrono::milliseconds endTimeout{1500};      // for ending the session at the server
constexpr std::chrono::milliseconds fullCheckInterval{50}; // between calls of isOutputFull_

// Wakes the connector's thread while it waits for the network.
class Wake {
public:
  Wake() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::runtime_error("eventfd: no descriptor left");
  }
  ~Wake() { ::close(descriptor_); }
  Wake(const Wake &) = delete;
  Wake &operator=(const Wake &) = delete;
  void set() const noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
  }
  void clear() const noexcept {
    std::uint64_t times = 0;
    [[maybe_unused]] const ssize_t read = ::read(descriptor_, &times, sizeof times);
  }
  int descriptor() const noexcept { return descriptor_; }

private:
  const int descriptor_;
};

} // namespace

class Connector::Implementation {
public:
  using Clock = Remote::Clock;

  Implementation(ConnectSettings settings, std::function<void(Fragments)> send,
                 std::function<bool()> isOutputFull)
      : settings_(std::move(settings)), send_(std::move(send)),
        isOutputFull_(std::move(isOutputFull)), remote_(settings_, [this] { wake_.set(); }),
        session_(remote_, settings_.patience,
                 {[this](const Json &result) { answerHandshake(result.dump()); },
                  [this](const RemoteRefusal &why) { onRefused(why); },
                  [this](std::string_view text) { sendToClient(text); }}),
        calls_(
            remote_, session_, settings_.patience,
            {[this](std::string_view text) { sendToClient(text); }, [this] { releaseRequest(); }}),
        thread_([this] { run(); }) {}
  ~Implementation() {
    {
      const std::scoped_lock lock(mutex_);
      quit_ = true;
    }
    wake_.set();
    thread_.join();
  }
  Implementation(const Implementation &) = delete;
  Implementation &operator=(const Implementation &) = delete;

  void enqueue(ClientMessage message) {
    std::unique_lock lock(mutex_);
    const bool counts = message.kind == ClientMessage::Kind::Request &&
                        message.method != "subscriptions/listen" && !isHandshake(message);
    room_.wait(lock, [&] { return !counts || requests_ < maxRequests || isOver_; });
    if (isOver_) return;
    if (counts) ++requests_;
    incoming_.push_back(std::move(message));
    lock.unlock();
    wake_.set();
  }
  void sendToClient(std::string_view text) const { send_(Fragments(text)); }
  void finish() {
    std::unique_lock lock(mutex_);
    finishing_ = true;
    wake_.set();
    finished_.wait(lock, [this] { return done_; });
  }
  void stop() noexcept {
    stopping_ = true;
    wake_.set();
  }
  std::size_t maxLineBytes() const noexcept { return settings_.maxRequestBytes; }

private:
  static bool isHandshake(const ClientMessage &message) {
    return message.method == "initialize" && message.version.empty();
  }
  void releaseRequest() {
    {
      const std::scoped_lock lock(mutex_);
      --requests_;
    }
    room_.notify_one();
  }
  void run();
  void handleIncoming();
  void handle(ClientMessage message);
  void notify(const ClientMessage &message);
  void answerHandshake(std::string_view result);
  void onRefused(const RemoteRefusal &why);
  std::chrono::milliseconds timeUntilNextStep() const;
  void advanceShutdown();

  const ConnectSettings settings_;
  const std::function<void(Fragments)> send_;
  const std::function<bool()> isOutputFull_;
  Wake wake_;
  std::mutex mutex_;
  std::condition_variable room_, finished_;
  std::deque<ClientMessage> incoming_;
  std::size_t requests_ = 0;
  bool finishing_ = false, done_ = false, isOver_ = false, quit_ = false;
  std::atomic<bool> stopping_{false};

  // The thread alone uses these.
  Remote remote_;
  RemoteSession session_;
  Calls calls_;
  struct Handshake {
    std::string id, version;
    Clock::time_point answerAt;
  };
  std::optional<Handshake> handshake_;    // not answered yet
  std::deque<std::string> notifications_; // held until the session is open
  Clock::time_point endAt_ = Clock::time_point::max();
  bool ending_ = false, ended_ = false;
  std::thread thread_; // last: starts after the other members exist
};

void Connector::Implementation::run() {
  pthread_setname_np(pthread_self(), "connect");
  for (;;) {
    {
      const std::scoped_lock lock(mutex_);
      if (quit_) break;
    }
    wake_.clear();
    handleIncoming();
    if (handshake_ && Clock::now() >= handshake_->answerAt)
      answerHandshake(handshakeResult(handshake_->version, settings_.version));
    if (!ending_) session_.work();
    while (session_.isOpen() && !notifications_.empty()) {
      remote_.start("POST", session_.fields(), std::move(notifications_.front()),
                    {{}, [](std::string_view) {}, [](const AnswerEnd &) {}});
      notifications_.pop_front();
    }
    calls_.work();
    advanceShutdown();
    const bool full = isOutputFull_();
    remote_.pause(full);
    remote_.work(full ? std::min(timeUntilNextStep(), fullCheckInterval) : timeUntilNextStep(),
                 wake_.descriptor());
  }
}

std::chrono::milliseconds Connector::Implementation::timeUntilNextStep() const {
  using std::chrono::milliseconds;
  Clock::time_point due = std::min({ending_ ? Clock::time_point::max() : session_.due(),
                                    calls_.due(), endAt_, Clock::now() + std::chrono::minutes(1)});
  if (handshake_) due = std::min(due, handshake_->answerAt);
  // A request that is due and could not be sent waits for an exchange, a token or the next tick.
  return std::max(milliseconds(1), std::chrono::ceil<milliseconds>(due - Clock::now()));
}

void Connector::Implementation::handleIncoming() {
  std::deque<ClientMessage> messages;
  {
    const std::scoped_lock lock(mutex_);
    messages.swap(incoming_);
  }
  for (ClientMessage &message : messages) handle(std::move(message));
}

void Connector::Implementation::handle(ClientMessage message) {
  if (message.kind != ClientMessage::Kind::Request) return notify(message);
  if (!isHandshake(message)) return calls_.begin(std::move(message));
  const auto version = message.params.find("protocolVersion");
  if (version == message.params.end() || !version->is_string())
    return sendToClient(
        errorAnswer(message.id, {Fault::InvalidParams, "params.protocolVersion must be a string"}));
  handshake_ =
      Handshake{message.id, version->get<std::string>(), Clock::now() + settings_.greeting};
  session_.requestSession(message.params);
}

void Connector::Implementation::notify(const ClientMessage &message) {
  if (message.method == "notifications/initialized") return; // the connector sends its own
  if (message.method == "notifications/cancelled") {
    calls_.cancel(message);
    return;
  }
  if (!message.version.empty() || !session_.isRequested())
    return; // the modern family has no others
  if (notifications_.size() < maxRequests) notifications_.push_back(message.line);
}

void Connector::Implementation::answerHandshake(std::string_view result) {
  if (!handshake_) return;
  std::string text = R"({"jsonrpc":"2.0","id":)" + handshake_->id + R"(,"result":)";
  text += result;
  handshake_.reset();
  sendToClient(text += '}');
}

void Connector::Implementation::onRefused(const RemoteRefusal &why) {
  if (handshake_) sendToClient(errorAnswer(handshake_->id, why.code, why.words, why.data));
  handshake_.reset();
  calls_.refuseHeld(why);
}

void Connector::Implementation::advanceShutdown() {
  bool finishing = false;
  {
    const std::scoped_lock lock(mutex_);
    finishing = finishing_ && incoming_.empty();
    if (stopping_ && !isOver_) {
      isOver_ = true;
      room_.notify_all();
    }
  }
  const auto now = Clock::now();
  if (!ending_) {
    if (!finishing && !stopping_) return;
    if (endAt_ == Clock::time_point::max()) endAt_ = now + settings_.patience;
    if (!stopping_ && now < endAt_ && (calls_.busy() || handshake_)) return;
    ending_ = true;
    endAt_ = now + endTimeout;
    calls_.clear();
    session_.end([this] { ended_ = true; });
  }
  if (!ended_ && now < endAt_) return;
  endAt_ = Clock::time_point::max();
  const std::scoped_lock lock(mutex_);
  done_ = true;
  finished_.notify_all();
}

Connector::Connector(ConnectSettings settings, std::function<void(Fragments)> send,
                     std::function<bool()> isOutputFull)
    : implementation_(std::make_unique<Implementation>(std::move(settings), std::move(send),
                                                       std::move(isOutputFull))) {}
Connector::~Connector() = default;

void Connector::receive(std::string_view line) {
  ReadMessage read = readClientMessage(line);
  if (!read.message) return implementation_->sendToClient(read.refusal);
  implementation_->enqueue(*std::move(read.message));
}

void Connector::refuseTooLong(std::size_t limit, const std::string &id) {
  implementation_->sendToClient(errorAnswer(
      id, {Fault::InvalidRequest, "a message is longer than " + std::to_string(limit) + " bytes"}));
}

void Connector::finish() { implementation_->finish(); }
void Connector::stop() noexcept { implementation_->stop(); }

} // namespace skillhost
