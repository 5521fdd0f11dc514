// SPDX-License-Identifier: Apache-2.0
// Presents an instance of kind "skh.tools/1" as the host's ToolProvider.
#pragma once

#include "instance.hpp"
#include "plugin/tools.hpp"

#include <memory>

namespace skillhost {

class ToolsInstance final : public ToolProvider {
public:
  explicit ToolsInstance(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}

  const std::string &name() const noexcept override { return instance_->name(); }
  void onChanged(std::function<void()> listener) override {
    instance_->onChanged(std::move(listener));
  }
  void stop() override { instance_->stop(); }
  void setRemark(std::string text) override { instance_->setRemark(std::move(text)); }
  void list(CallOptions options, std::size_t limit, ResultCallback<std::string> answer) override;
  void callTool(CallOptions options, Exchange exchange, std::string tool, std::string arguments,
                std::size_t limit, ResultCallback<std::string> answer) override;
  void getPrompt(CallOptions options, Exchange exchange, std::string prompt, std::string arguments,
                 std::size_t limit, ResultCallback<std::string> answer) override;
  void readResource(CallOptions options, Exchange exchange, std::string uri, std::size_t limit,
                    ResultCallback<std::string> answer) override;
  void complete(CallOptions options, CompletionRequest request, std::size_t limit,
                ResultCallback<std::string> answer) override;

private:
  std::shared_ptr<Instance> instance_;
};

} // namespace skillhost
