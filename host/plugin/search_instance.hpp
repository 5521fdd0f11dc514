// SPDX-License-Identifier: Apache-2.0
// Presents an instance of kind "skh.search/1" as the host's SearchBackend.
#pragma once

#include "instance.hpp"
#include "plugin/search.hpp"

#include <memory>

namespace skillhost {

class SearchInstance final : public SearchBackend {
public:
  explicit SearchInstance(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}

  const std::string &name() const noexcept override { return instance_->name(); }
  bool hasCalibratedScores() const noexcept override {
    return (instance_->flags() & SKH_CALIBRATED) != 0;
  }
  void onChanged(std::function<void()> listener) override {
    instance_->onChanged(std::move(listener));
  }
  void stop() override { instance_->stop(); }
  void held(CallOptions options,
            ResultCallback<std::optional<std::vector<HeldEntry>>> answer) override;
  void update(CallOptions options, std::vector<SearchEntry> put, std::vector<std::string> removed,
              std::string generation, ResultCallback<Done> answer) override;
  void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
             ResultCallback<std::vector<SearchHit>> answer) override;
  void explain(const CallOptions &options, const std::string &text, const std::string &id,
               const ResultCallback<std::string> &answer) override;
  void settle(const CallOptions &options, const ResultCallback<std::string> &answer) override;

private:
  std::shared_ptr<Instance> instance_;
};

} // namespace skillhost
