// SPDX-License-Identifier: Apache-2.0
// One instance of a plugin: what it was given, its lane, and how its calls have gone.
#pragma once

#include "frame.hpp"
#include "plugin/description.hpp"
#include "plugin/lane.hpp"
#include "plugin/registry.hpp"

#include "base/guarded.hpp"
#include "base/log.hpp"
#include "base/plugin_metrics.hpp"

#include <skillhost/plugin.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace skillhost {

class Instance {
public:
  // Checks the configuration against the plugin's schema, then creates. Runs the plugin on the
  // calling thread.
  static Result<std::shared_ptr<Instance>> create(const skh_plugin &plugin,
                                                  const InstanceConfiguration &configuration);
  // Joins the lane, then destroys the plugin's object.
  ~Instance();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  const std::string &name() const noexcept { return configuration_.name; }
  template <class Operations> const Operations &operations() const noexcept {
    return *static_cast<const Operations *>(plugin_.ops);
  }
  void *self() const noexcept { return self_; }
  std::size_t threads() const noexcept { return lane_.threads(); }
  void onChanged(std::function<void()> listener);
  void stop() { lane_.end(); }

  // The one way to call a plugin: runs work(frame, instance) on the lane and hands its result to
  // `answer`. Refuses at once with Unavailable when the lane is full.
  template <class T, class Work>
  void call(CallOptions options, std::string_view what, Work work, const Answer<T> &answer);

  // State and reason, for the operator.
  PluginDescription describe() const;

private:
  Instance(const skh_plugin &plugin, InstanceConfiguration configuration);
  void note(const Failure *failure);

  struct RawHost {
    skh_host base;
    Instance *owner;
  };
  static Instance &of(const skh_host *raw) noexcept;
  static void log(const skh_host *raw, int32_t level, skh_str message) noexcept;
  static void metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept;
  static void changed(const skh_host *raw) noexcept;
  static const void *extension(const skh_host *raw, const char *id) noexcept;

  const skh_plugin &plugin_;
  const InstanceConfiguration configuration_;
  const std::string version_;
  RawHost host_;
  void *self_ = nullptr;
  Guarded<std::shared_ptr<const std::function<void()>>> listener_;
  Guarded<std::string> lastFailure_; // empty: the last call went well
  std::atomic<bool> failing_{false};
  metrics::PluginMetrics metrics_;
  Lane lane_;
};

template <class T, class Work>
void Instance::call(CallOptions options, std::string_view what, Work work,
                    const Answer<T> &answer) {
  // The analyser takes the job that the lane keeps for lost.
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks)
  using Clock = std::chrono::steady_clock;
  auto job = [this, options = std::move(options), work = std::move(work), answer,
              posted = Clock::now()]() mutable {
    metrics_.began();
    if (options.cancel.cancelled()) {
      answer(Failure{Fault::Cancelled, name() + ": cancelled before it began"});
      return;
    }
    // Nothing may leave the lane's thread: what escapes costs this call alone.
    try {
      const Clock::time_point began = Clock::now();
      Result<T> result = [&]() -> Result<T> {
        try {
          CallFrame frame(options);
          return work(frame);
        } catch (const std::exception &why) {
          return {Fault::Internal, name() + ": " + why.what()};
        }
      }();
      const Failure *const failure = result ? nullptr : &result.failure();
      metrics_.finished(began - posted, Clock::now() - began, failure);
      note(failure);
      answer(std::move(result));
    } catch (const std::exception &why) {
      skillhost::log::error("plugin", name() + ": an answer was lost: " + why.what());
    }
  };
  if (lane_.post(std::move(job))) return metrics_.queued();
  metrics_.refused();
  answer(Failure{Fault::Unavailable,
                 name() + ": " + std::string(what) + ": too many calls are waiting"});
}

} // namespace skillhost
