// SPDX-License-Identifier: Apache-2.0
// Presents an instance of kind "skh.auth/1" as the host's AuthProvider.
#pragma once

#include "instance.hpp"
#include "plugin/auth.hpp"

#include <memory>

namespace skillhost {

class AuthInstance final : public AuthProvider {
public:
  explicit AuthInstance(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}

  const std::string &name() const noexcept override { return instance_->name(); }
  void onChanged(std::function<void()> listener) override {
    instance_->onChanged(std::move(listener));
  }
  void stop() override { instance_->stop(); }
  void check(CallOptions options, ResultCallback<Done> answer) override;
  void validate(CallOptions options, AuthCredential credential,
                ResultCallback<AuthPrincipal> answer) override;
  void describe(CallOptions options, std::size_t limit,
                ResultCallback<std::string> answer) override;

private:
  std::shared_ptr<Instance> instance_;
};

} // namespace skillhost
