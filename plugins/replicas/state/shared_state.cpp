// SPDX-License-Identifier: Apache-2.0
#include "state/shared_state.hpp"

#include "base/log.hpp"
#include "base/metrics.hpp"
#include "base/readiness.hpp"
#include "ground/await.hpp"
#include "ground/back_off.hpp"
#include "ground/bind_weak.hpp"
#include "ground/guarded.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/random.hpp"
#include "ground/seal.hpp"
#include "ground/service_key.hpp"
#include "ground/timer.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::chrono::seconds receiveSpan{30};
constexpr BackOffRules retries{std::chrono::milliseconds(100), std::chrono::seconds(5), .5};

metrics::Counter &counterOf(const char *name, const char *label, const char *value) {
  return metrics::all().counter({name, {{label, value}}});
}

// Counts the results of calls in a few series, each of which is looked up once.
struct Figures {
  metrics::Counter &ok = counterOf("skillhost_state_operations_total", "outcome", "ok"),
                   &away = counterOf("skillhost_state_operations_total", "outcome", "unavailable"),
                   &failed = counterOf("skillhost_state_operations_total", "outcome", "failed"),
                   &foreign = metrics::all().counter({"skillhost_state_foreign_values_total", {}}),
                   &received = metrics::all().counter({"skillhost_state_messages_total", {}}),
                   &lost = metrics::all().counter({"skillhost_state_messages_lost_total", {}});
  metrics::Gauge &reachable = metrics::all().gauge({"skillhost_state_reachable", {}});
};

bool isAway(Fault fault) noexcept {
  return fault == Fault::Unavailable || fault == Fault::ToolTimeout || fault == Fault::Cancelled;
}

} // namespace

class SharedState::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  Implementation(std::shared_ptr<StateBackend> backend, SharedStateSettings settings)
      : backend_(std::move(backend)), prefix_(settings.prefix + ':'), deadline_(settings.deadline),
        heartbeatSpan_(settings.heartbeat), key_(keyOfService(settings.secret)), seal_(key_),
        replica_(randomHex(8)) {
    figures_.reachable.set(1);
  }

  StateBackend &backend() noexcept { return *backend_; }
  const std::string &replica() const noexcept { return replica_; }
  CallOptions options() const { return {Deadline::after(deadline_), {}, {}, {}}; }
  std::string placed(std::string_view name) const { return prefix_ + std::string(name); }
  std::string keyedDigest(std::string_view kind,
                          std::initializer_list<std::string_view> parts) const {
    std::vector<std::string_view> all{kind};
    all.insert(all.end(), parts);
    return hexadecimal(key_.digest(all));
  }
  Blake3Key keyFor(std::string_view use) const {
    return keyOfUse(key_, std::string(use) + " of " + prefix_);
  }

  // Sealing the same value at the same place results in the same text, so that the engine can
  // compare texts that it cannot read.
  std::string sealed(std::string_view what, const std::string &place,
                     std::string_view value) const {
    return seal_.seal(what, place, value);
  }
  // Returns nothing if the text was not sealed for this place.
  std::optional<std::string> opened(std::string_view what, const std::string &place,
                                    std::string_view text) {
    if (auto value = seal_.open(what, place, text)) return value;
    figures_.foreign.add();
    if (!warned_.exchange(true))
      log::warning("state", "the engine holds a " + std::string(what) + " under " + place +
                                " that no replica of this service wrote (another prefix, another "
                                "state.secret?): it is taken for absent");
    return std::nullopt;
  }

  // Wraps an answer so that its result is counted, and the state of the engine is noted.
  template <class T> ResultCallback<T> counted(ResultCallback<T> answer) {
    return [self = this->shared_from_this(), answer = std::move(answer)](Result<T> result) {
      self->note(result ? nullptr : &result.failure());
      if (answer) answer(std::move(result));
    };
  }

  // Wraps the answer to check(). Every failure but Cancelled counts as unreachable, because an
  // engine that fails the check cannot be used.
  ResultCallback<Done> countedCheck(ResultCallback<Done> answer) {
    return [self = this->shared_from_this(), answer = std::move(answer)](const Status &result) {
      if (result)
        self->note(nullptr);
      else {
        Failure why = result.failure();
        if (why.fault != Fault::Cancelled) why.fault = Fault::Unavailable;
        self->note(&why);
      }
      answer(result);
    };
  }

  void note(const Failure *why) {
    const bool away = why != nullptr && isAway(why->fault);
    (why == nullptr ? figures_.ok : away ? figures_.away : figures_.failed).add();
    // This says nothing about the engine.
    if (why != nullptr && why->fault == Fault::Cancelled) return;
    if (reachable_.exchange(!away) == !away) return;
    figures_.reachable.set(away ? 0 : 1);
    if (away) {
      log::warning("state", "the engine of the shared state cannot be reached: " + why->message);
      probe();
    } else {
      // If the engine goes away again, it is queried soon.
      pauses_.with([](BackOff &one) { one.reset(); });
      log::info("state", "the engine of the shared state can be reached again");
    }
    tellReachable(!away);
  }

  bool isEngineReachable() const noexcept { return reachable_; }
  void onReachable(std::function<void(bool)> listener) {
    reachListeners_.with([&](auto &all) { all.push_back(std::move(listener)); });
  }

  void listen(std::string_view channel, Listener listener) {
    const std::string place = placed(channel);
    const bool isFirst = listeners_.with([&](auto &all) {
      all[place] = std::make_shared<const Listener>(std::move(listener));
      return !std::exchange(receives_, true);
    });
    subscribe(place);
    if (!isFirst) return;
    receive();
    askForMark();
  }

  void stop() {
    if (stopped_.exchange(true)) return;
    backend_->stop();
    // The timer ends without the lock, because a running callback may need the lock.
    const std::unique_ptr<Timer> last = timer_.with([](auto &timer) { return std::move(timer); });
  }

private:
  void later(std::function<void()> what) {
    timed(pauses_.with([](BackOff &one) { return one.next(); }), std::move(what));
  }
  void timed(std::chrono::milliseconds pause, std::function<void()> what) {
    timer_.with([&](std::unique_ptr<Timer> &timer) {
      if (stopped_) return;
      if (!timer) timer = std::make_unique<Timer>();
      timer->after(pause, std::move(what));
    });
  }

  void tellReachable(bool isReachable) {
    for (const auto &listener : reachListeners_.copy()) listener(isReachable);
  }

  // A replica that only listens and sends no requests has to notice that the engine is unreachable,
  // because a plugin waits for messages as long as that lasts. So it reads a mark that the first
  // replica has stored. If the mark is missing or has changed, the engine has lost its data.
  void heartbeat() {
    timed(heartbeatSpan_, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self || self->stopped_) return;
      if (!self->reachable_) return self->heartbeat(); // probe() is querying it
      self->askForMark();
    });
  }

  // The mark is read before anything is written, so that a loss after that is noticed.
  void askForMark() {
    backend_->get(options(), placed("heartbeat"), {},
                  counted<std::optional<std::string>>(
                      [weak = weak_from_this()](const Result<std::optional<std::string>> &mark) {
                        const auto self = weak.lock();
                        if (!self) return;
                        if (mark && !*mark) return self->putMark();
                        if (mark) self->compareMark(**mark);
                        self->heartbeat();
                      }));
  }

  // Puts a new mark into the engine before compareMark() has lost values written again, so that a
  // second loss is noticed, too.
  void putMark() {
    const std::string fresh = randomHex(8);
    backend_->compareAndSet(
        options(), placed("heartbeat"), {}, fresh, {},
        counted<bool>([weak = weak_from_this(), fresh](const Result<bool> &done) {
          const auto self = weak.lock();
          if (!self) return;
          if (done && !*done) return self->askForMark(); // another replica has stored one
          if (done) self->compareMark(fresh);
          self->heartbeat();
        }));
  }

  // Only one question for the mark is under way at a time, so no lock is needed.
  void compareMark(const std::string &now) {
    const std::string before = std::exchange(mark_, now);
    if (before.empty() || before == now) return;
    log::warning("state", "the engine of the shared state has lost what it held (FLUSHALL, an "
                          "older copy?): what this replica knows is written again");
    tellReachable(true);
  }

  // While the engine is unreachable, nobody else may send a request, so it is queried here. One
  // query runs at a time.
  void probe() {
    if (probing_.exchange(true)) return;
    later([weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self || self->stopped_) return;
      self->backend_->check(self->options(), self->countedCheck([weak](const Status &) {
        const auto asked = weak.lock();
        if (!asked) return;
        asked->probing_ = false;
        if (!asked->reachable_) asked->probe();
      }));
    });
  }

  // A plugin that cannot subscribe yet remembers the channel. If it fails for another reason, this
  // is tried again.
  void subscribe(const std::string &place) {
    backend_->subscribe(options(), place,
                        counted<Done>([weak = weak_from_this(), place](const Status &done) {
                          const auto self = weak.lock();
                          if (!self || done || self->stopped_) return;
                          self->later(bindWeak(self.get(), &Implementation::subscribe, place));
                        }));
  }

  using Clock = std::chrono::steady_clock;
  void receive() {
    if (stopped_) return;
    backend_->receive({Deadline::after(receiveSpan), {}, {}, {}},
                      bindWeak(this, &Implementation::heard, Clock::now()));
  }

  void heard(Clock::time_point asked, Result<std::vector<StateMessage>> come) {
    if (stopped_) return;
    if (!come) {
      if (come.failure().fault != Fault::ToolTimeout) note(&come.failure());
      return later(bindWeak(this, &Implementation::receive));
    }
    // A plugin that does not wait must not be called in an endless loop.
    if (come->empty() && Clock::now() - asked < receiveSpan / 2)
      return later(bindWeak(this, &Implementation::receive));
    pauses_.with([](BackOff &one) { one.reset(); });
    for (const StateMessage &message : *come) {
      if (message.lost) reportLoss();
      if (!message.channel.empty()) deliver(message);
    }
    receive();
  }

  void reportLoss() {
    figures_.lost.add();
    for (const auto &[place, listener] : listeners_.copy())
      if (listener->onLoss) listener->onLoss();
  }

  void deliver(const StateMessage &message) {
    const auto listener = listeners_.with([&](auto &all) {
      const auto found = all.find(message.channel);
      return found == all.end() ? nullptr : found->second;
    });
    if (!listener) return;
    const auto text = opened("message", message.channel, message.payload);
    if (!text || text->size() < replica_.size()) return;
    if (text->substr(0, replica_.size()) == replica_) return; // our own
    figures_.received.add();
    listener->onMessage(text->substr(replica_.size()));
  }

  const std::shared_ptr<StateBackend> backend_;
  const std::string prefix_;
  const std::chrono::milliseconds deadline_, heartbeatSpan_;
  const Blake3Key key_;
  const Seal seal_;
  const std::string replica_;
  std::atomic<bool> reachable_{true}, stopped_{false}, warned_{false}, probing_{false};
  Guarded<std::vector<std::function<void(bool)>>> reachListeners_;
  Guarded<std::map<std::string, std::shared_ptr<const Listener>>> listeners_; // by place
  bool receives_ = false; // under the lock of listeners_
  std::string mark_;      // the mark that was read last; empty if there was none yet
  Guarded<BackOff> pauses_{BackOff(retries)};
  Guarded<std::unique_ptr<Timer>> timer_; // made when it is needed
  Figures figures_;
};

SharedState::SharedState(std::shared_ptr<StateBackend> backend, SharedStateSettings settings)
    : implementation_(std::make_shared<Implementation>(std::move(backend), std::move(settings))) {}
SharedState::~SharedState() { stop(); }

void SharedState::stop() { implementation_->stop(); }
const std::string &SharedState::replica() const noexcept { return implementation_->replica(); }
bool SharedState::isEngineReachable() const noexcept {
  return implementation_->isEngineReachable();
}
Readiness SharedState::readiness() const {
  const bool isReachable = isEngineReachable();
  Readiness told{!isReachable};
  told.details["state"]["reachable"] = isReachable;
  return told;
}
void SharedState::onReachable(std::function<void(bool)> listener) {
  implementation_->onReachable(std::move(listener));
}
void SharedState::listen(std::string_view channel, Listener listener) {
  implementation_->listen(channel, std::move(listener));
}
std::string SharedState::keyedDigest(std::string_view kind,
                                     std::initializer_list<std::string_view> parts) const {
  return implementation_->keyedDigest(kind, parts);
}
Blake3Key SharedState::keyFor(std::string_view use) const { return implementation_->keyFor(use); }

Status SharedState::check(std::chrono::milliseconds span) {
  return awaitAnswer<Status>([&](ResultCallback<Done> answer) {
    implementation_->backend().check({Deadline::after(span), {}, {}, {}},
                                     implementation_->countedCheck(std::move(answer)));
  });
}

void SharedState::get(std::string_view key, Span expiry,
                      ResultCallback<std::optional<std::string>> answer) {
  Implementation &own = *implementation_;
  std::string place = own.placed(key);
  auto open = [self = implementation_, place,
               answer = std::move(answer)](Result<std::optional<std::string>> found) {
    // A value of another type belongs to another product.
    if (!found && found.failure().fault == Fault::Corrupt)
      return answer(std::optional<std::string>());
    if (!found || !*found) return answer(std::move(found));
    answer(self->opened("value", place, **found));
  };
  own.backend().get(own.options(), std::move(place), expiry,
                    own.counted<std::optional<std::string>>(std::move(open)));
}

void SharedState::put(std::string_view key, std::string_view value, Span expiry,
                      ResultCallback<Done> answer) {
  Implementation &own = *implementation_;
  std::string place = own.placed(key);
  std::string sealed = own.sealed("value", place, value);
  own.backend().put(own.options(), std::move(place), std::move(sealed), expiry,
                    own.counted<Done>(std::move(answer)));
}

void SharedState::compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                                std::string_view value, Span expiry, ResultCallback<bool> answer) {
  Implementation &own = *implementation_;
  std::string place = own.placed(key);
  std::optional<std::string> before;
  if (expected) before = own.sealed("value", place, *expected);
  std::string sealed = own.sealed("value", place, value);
  own.backend().compareAndSet(own.options(), std::move(place), std::move(before), std::move(sealed),
                              expiry, own.counted<bool>(std::move(answer)));
}

void SharedState::erase(std::string_view key, std::optional<std::string_view> expected,
                        ResultCallback<StateErased> answer) {
  Implementation &own = *implementation_;
  std::string place = own.placed(key);
  std::optional<std::string> before;
  if (expected) before = own.sealed("value", place, *expected);
  own.backend().erase(own.options(), std::move(place), std::move(before),
                      own.counted<StateErased>(std::move(answer)));
}

void SharedState::add(std::string_view key, std::int64_t delta, Span expiry,
                      ResultCallback<std::int64_t> answer) {
  Implementation &own = *implementation_;
  own.backend().add(own.options(), own.placed(key), delta, expiry,
                    own.counted<std::int64_t>(std::move(answer)));
}

void SharedState::publish(std::string_view channel, std::string_view message) {
  Implementation &own = *implementation_;
  std::string place = own.placed(channel);
  std::string sealed = own.sealed("message", place, own.replica() + std::string(message));
  own.backend().publish(own.options(), std::move(place), std::move(sealed),
                        own.counted<Done>(nullptr));
}

} // namespace skillhost
