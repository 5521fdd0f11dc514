// SPDX-License-Identifier: Apache-2.0
// Calls a plugin of the kind "skh.http/1" as an HttpPlugin of the host.
#pragma once

#include "instance.hpp"
#include "plugin/http_plugin.hpp"

#include <memory>
#include <string>
#include <utility>

namespace skillhost {

class HttpInstance final : public HttpPlugin {
public:
  explicit HttpInstance(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}

  const std::string &name() const noexcept override { return instance_->name(); }
  void routes(CallOptions options, ResultCallback<HandlerRoutes> answer) override;
  void handle(CallOptions options, HandlerRequest request,
              ResultCallback<HandlerAnswer> answer) override;
  bool isFailing() const override { return instance_->describe().state != PluginState::Loaded; }
  void setTrouble(std::string text) override { instance_->setTrouble(std::move(text)); }
  void stop() override { instance_->stop(); }

private:
  std::shared_ptr<Instance> instance_;
};

} // namespace skillhost
