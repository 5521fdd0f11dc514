// SPDX-License-Identifier: Apache-2.0
// Presents an instance of kind "skh.state/1" as the host's StateBackend.
#pragma once

#include "instance.hpp"
#include "plugin/state.hpp"

#include <atomic>
#include <memory>

namespace skillhost {

class StateInstance final : public StateBackend {
public:
  explicit StateInstance(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}

  const std::string &name() const noexcept override { return instance_->name(); }
  void stop() override { instance_->stop(); }
  void setRemark(std::string text) override { instance_->setRemark(std::move(text)); }
  void check(CallOptions options, ResultCallback<Done> answer) override;
  void get(CallOptions options, std::string key, Span expiry,
           ResultCallback<std::optional<std::string>> answer) override;
  void put(CallOptions options, std::string key, std::string value, Span expiry,
           ResultCallback<Done> answer) override;
  void compareAndSet(CallOptions options, std::string key, std::optional<std::string> expected,
                     std::string value, Span expiry, ResultCallback<bool> answer) override;
  void erase(CallOptions options, std::string key, std::optional<std::string> expected,
             ResultCallback<StateErased> answer) override;
  void add(CallOptions options, std::string key, std::int64_t delta, Span expiry,
           ResultCallback<std::int64_t> answer) override;
  void publish(CallOptions options, std::string channel, std::string payload,
               ResultCallback<Done> answer) override;
  void subscribe(CallOptions options, std::string channel, ResultCallback<Done> answer) override;
  void unsubscribe(CallOptions options, std::string channel, ResultCallback<bool> answer) override;
  void receive(CallOptions options, ResultCallback<std::vector<StateMessage>> answer) override;

private:
  std::shared_ptr<Instance> instance_;
  // True while a receive() runs, or while the plugin has not come back from one that was given up.
  std::shared_ptr<std::atomic<bool>> receives_ = std::make_shared<std::atomic<bool>>(false);
};

} // namespace skillhost
