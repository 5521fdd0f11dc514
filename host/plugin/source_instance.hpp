// SPDX-License-Identifier: Apache-2.0
// Presents an instance of kind "skh.source/1" as the host's Source.
#pragma once

#include "instance.hpp"
#include "plugin/source.hpp"

#include <memory>

namespace skillhost {

class SourceInstance final : public Source {
public:
  explicit SourceInstance(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}

  const std::string &name() const noexcept override { return instance_->name(); }
  void stop() override { instance_->stop(); }
  bool supportsPinning() const noexcept override { return instance_->supportsPinning(); }
  void onChanged(std::function<void()> listener) override {
    instance_->onChanged(std::move(listener));
  }
  void list(CallOptions options, ResultCallback<Snapshot> answer) override;
  void changes(CallOptions options, std::string since, ResultCallback<Changes> answer) override;
  void read(CallOptions options, Document document, std::size_t limit,
            ResultCallback<std::string> answer) override;
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override;

private:
  std::shared_ptr<Instance> instance_;
};

} // namespace skillhost
