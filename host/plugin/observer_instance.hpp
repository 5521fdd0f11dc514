// SPDX-License-Identifier: Apache-2.0
// Calls a plugin of the kind "skh.observer/1" as an ObserverPlugin of the host.
#pragma once

#include "instance.hpp"
#include "plugin/observer_plugin.hpp"

#include <memory>
#include <string>
#include <utility>

namespace skillhost {

class ObserverInstance final : public ObserverPlugin {
public:
  explicit ObserverInstance(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}

  const std::string &name() const noexcept override { return instance_->name(); }
  EventMask wants() const noexcept override;
  void deliver(CallOptions options, std::shared_ptr<const ObservedEvents> events,
               ResultCallback<Done> answer) override;
  void setTrouble(std::string text) override { instance_->setTrouble(std::move(text)); }
  void stop() override { instance_->stop(); }

private:
  std::shared_ptr<Instance> instance_;
};

} // namespace skillhost
