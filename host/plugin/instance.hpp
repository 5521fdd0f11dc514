// SPDX-License-Identifier: Apache-2.0
// An Instance is a plugin with its configuration, its executor, and the outcomes of its calls.
#pragma once

#include "base/circuit_breaker.hpp"
#include "change_hints.hpp"
#include "creations.hpp"
#include "frame.hpp"
#include "jsonschema/setting_problem.hpp"
#include "lent_upstream.hpp"
#include "plugin/description.hpp"
#include "plugin/registry.hpp"
#include "plugin_calls/executor.hpp"
#include "plugin_calls/plugin_log.hpp"

#include "base/log.hpp"
#include "base/plugin_metrics.hpp"
#include "ground/guarded.hpp"

#include <skillhost/health.h>
#include <skillhost/pin.h>
#include <skillhost/plugin.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost {

class Instance {
public:
  // Checks the configuration against the plugin's schema, then calls create() on the instance's
  // executor; a create() that has not come back after 30 s has failed. When the last owner releases
  // the instance, the executor stops; if a thread is lost in the plugin, the instance is never
  // destroyed. `problems` receives the faults of the configuration, if these are the reason.
  // `plugin` must outlive the instance: `keeper` is released when the instance is destroyed. If
  // `creations` is not null, it can end the wait for create().
  static Result<std::shared_ptr<Instance>> create(const skh_plugin &plugin,
                                                  const InstanceConfiguration &configuration,
                                                  SettingProblems *problems = nullptr,
                                                  std::shared_ptr<const void> keeper = nullptr,
                                                  Creations *creations = nullptr);
  // Destroys the plugin's object. The instance has stopped before.
  ~Instance();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  const std::string &name() const noexcept { return configuration_.name; }
  template <class Operations> const Operations &operations() const noexcept {
    return *static_cast<const Operations *>(plugin_.ops);
  }
  std::uint32_t flags() const noexcept { return plugin_.flags; }
  void *self() const noexcept { return self_; }
  // Returns the plugin's interface of that id, or nullptr.
  const void *extensionOf(const char *id) const noexcept {
    const bool has = SKH_HAS(&plugin_, extension) && plugin_.extension != nullptr;
    return has ? plugin_.extension(self_, id) : nullptr;
  }
  // True if the plugin has asked for the configuration's pin, and so promised to obey it.
  bool supportsPinning() const noexcept { return supportsPinning_.load(std::memory_order_acquire); }
  std::size_t threads() const noexcept { return executor_.threads(); }
  std::size_t lostThreads() const { return executor_.lost(); }
  void onChanged(std::function<void()> listener);
  // Returns false if a thread never came back: the instance must then be left as it is until the
  // process exits.
  bool stop() {
    constexpr std::chrono::milliseconds little{100};
    return hostStops_ ? executor_.end(little) : executor_.end();
  }

  // The only way to call a plugin: runs work(frame) on the executor and hands its result to
  // `answer`, exactly once: at the latest at the deadline, then with ToolTimeout, whatever the
  // plugin does. Refuses at once with Unavailable if the executor is full or the circuit is open.
  // `what` is a literal.
  template <class T, class Work>
  void call(CallOptions options, std::string_view what, Work work, const ResultCallback<T> &answer);

  // Returns state and reason, for the operator. The reason of an instance that works is its last
  // remark.
  PluginDescription describe() const;
  void setRemark(std::string text);
  // Reports this as the reason why the instance is degraded although its calls succeed; empty: it
  // is not degraded.
  void setTrouble(std::string text);
  // Waits, at most until the deadline, while the plugin reports that it is starting.
  void waitUntilStarted(Deadline deadline) const;

private:
  Instance(const skh_plugin &plugin, InstanceConfiguration configuration,
           std::shared_ptr<const void> keeper);
  template <class T, class Work> class CallJob;
  Status createSelf(Creations *creations);
  Status admits();
  void note(const Failure *failure);
  // True if the fault is the plugin's own. What it says of a document or a credential is no fault
  // of its own, and neither is a refusal by its remote.
  static bool isFaultOfPlugin(const Failure &failure) noexcept {
    return failure.fault != Fault::NotFound && failure.fault != Fault::Stale &&
           failure.fault != Fault::Cancelled && failure.fault != Fault::Unauthenticated &&
           failure.fault != Fault::Denied;
  }
  void overran(std::string_view what) noexcept;

  struct RawHost {
    skh_host base;
    Instance *owner;
  };
  struct RawHealth {
    skh_health base;
    Instance *owner;
  };
  struct Health {
    std::int32_t state = SKH_HEALTHY;
    std::string why;
  };
  static Instance &of(const skh_host *raw) noexcept;
  static void tellHealth(const skh_health *raw, int32_t state, skh_str why) noexcept;
  static void log(const skh_host *raw, int32_t level, skh_str message) noexcept;
  static void metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept;
  static void changed(const skh_host *raw) noexcept;
  static const void *extension(const skh_host *raw, const char *id) noexcept;

  // Released last, because it keeps what `plugin_` refers to. Never released if the instance is
  // left as it is.
  const std::shared_ptr<const void> keeper_;
  const skh_plugin &plugin_;
  const InstanceConfiguration configuration_;
  const std::string version_;
  RawHost host_;
  PluginLog log_;
  const skh_pin pin_;
  const RawHealth rawHealth_;
  const std::unique_ptr<LentUpstream> upstream_; // null unless it is configured as a filter
  std::atomic<bool> hasAskedForUpstream_{false};
  mutable std::mutex healthMutex_; // guards the next two
  mutable std::condition_variable healthChanged_;
  Health health_;
  std::atomic<bool> supportsPinning_{false};
  void *self_ = nullptr;
  const std::shared_ptr<ChangeHints> hints_ = std::make_shared<ChangeHints>();
  Guarded<std::string> lastFailure_; // empty: the last call succeeded
  Guarded<std::string> remark_, trouble_;
  std::atomic<bool> failing_{false};
  CircuitBreaker breaker_;
  bool hostStops_ = false; // while create() ran, so nobody waits for it
  metrics::PluginMetrics metrics_;
  PluginExecutor executor_;
};

// Holds what a call needs, and the receiver of its answer, until both the plugin and the caller are
// done.
template <class T, class Work> class Instance::CallJob final : public ExecutorJob {
public:
  CallJob(Instance &instance, CallOptions options, std::string_view what, Work work,
          ResultCallback<T> answer)
      : ExecutorJob(options.deadline, options.cancel, options.caller), instance_(instance),
        options_(std::move(options)), what_(what), work_(std::move(work)),
        answer_(std::move(answer)), frame_(options_) {}

  void run() noexcept override {
    instance_.metrics_.began();
    started_ = Clock::now().time_since_epoch().count();
    if (cancel().cancelled()) {
      instance_.breaker_.abandoned();
      return answer(failureWith(Fault::Cancelled, {"cancelled before it began"}));
    }
    answer(outcome());
  }
  void giveUp(bool running) noexcept override {
    frame_.giveUp();
    if (!running) {
      instance_.metrics_.began();
      instance_.breaker_.abandoned();
    }
    answer(failureWith(Fault::ToolTimeout,
                       {what_, running ? ": no answer in time" : ": waited too long"}));
  }
  void abandoned() noexcept override { instance_.overran(what_); }

  // Only the first answer counts: the result, or the failure at the deadline.
  void answer(Result<T> result) noexcept {
    if (answered_.exchange(true)) return;
    count(result || !isFaultOfPlugin(result.failure()) ? nullptr : &result.failure());
    tell(std::move(result));
  }
  // The executor did not accept the call.
  void refuse(Failure failure) noexcept { tell(std::move(failure)); }

private:
  using Clock = Deadline::Clock;

  void tell(Result<T> result) noexcept {
    // No exception may leave the executor's thread. One that is thrown here costs only this call.
    try {
      instance_.note(result ? nullptr : &result.failure());
      answer_(std::move(result));
    } catch (const std::exception &why) {
      skillhost::log::failure("plugin", {instance_.name(), ": an answer was lost"}, why);
      if (options_.onAnswerLost) options_.onAnswerLost(why);
    }
    answer_ = nullptr; // what it holds need not wait for a plugin that does not return
  }
  void count(const Failure *failure) noexcept {
    const Clock::time_point now = Clock::now();
    const Clock::rep began = started_;
    const Clock::time_point started = began == 0 ? now : Clock::time_point(Clock::duration(began));
    try {
      instance_.metrics_.finished(started - posted_, now - started, failure);
    } catch (const std::exception &) {
      return; // out of memory: a figure is lost, but not the call
    }
  }
  Result<T> outcome() noexcept {
    try {
      // A filter that is being created may not call its upstream yet, see upstream.h.
      const LentUpstream::Admission admission(
          instance_.self_ == nullptr ? nullptr : instance_.upstream_.get(), frame_, options_);
      Result<T> result = work_(frame_);
      instance_.breaker_.succeeded();
      // A plugin cannot know why its result is unwanted. Here the deadline was the reason.
      if (!result && result.failure().fault == Fault::Cancelled && !cancel().cancelled() &&
          deadline().passed())
        return {Fault::ToolTimeout, result.failure().message};
      return result;
    } catch (const std::exception &why) {
      return failureWith(Fault::Internal, {why.what()});
    }
  }
  Failure failureWith(Fault fault, std::initializer_list<std::string_view> words) const noexcept {
    try {
      std::string text = instance_.name() + ": ";
      for (const std::string_view each : words) text += each;
      return {fault, std::move(text)};
    } catch (const std::exception &) {
      return {fault, "out of memory"}; // so short that it needs no memory
    }
  }

  Instance &instance_;
  const CallOptions options_;
  const std::string_view what_;
  Work work_;
  ResultCallback<T> answer_;
  CallFrame frame_;
  const Clock::time_point posted_ = Clock::now();
  std::atomic<Clock::rep> started_{0}; // 0: not begun
  std::atomic<bool> answered_{false};
};

template <class T, class Work>
void Instance::call(CallOptions options, std::string_view what, Work work,
                    const ResultCallback<T> &answer) {
  auto job =
      std::make_shared<CallJob<T, Work>>(*this, std::move(options), what, std::move(work), answer);
  if (Status open = admits(); !open) {
    metrics_.refused();
    return job->refuse(std::move(open).failure());
  }
  Status posted = executor_.post(job);
  if (posted) return metrics_.queued();
  metrics_.refused();
  breaker_.abandoned();
  job->refuse({posted.failure().fault,
               name() + ": " + std::string(what) + ": " + posted.failure().message});
}

} // namespace skillhost
