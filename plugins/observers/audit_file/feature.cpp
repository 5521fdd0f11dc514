// SPDX-License-Identifier: Apache-2.0
#include "app/observer_feature.hpp"
#include "audit_file.hpp"

#include <utility>

namespace skillhost::app {
namespace {

class AuditFileFeature final : public ObserverFeature {
public:
  explicit AuditFileFeature(std::string path)
      : file_(std::make_shared<AuditFile>(std::move(path))) {}

  std::shared_ptr<Observer> observer() override { return file_; }
  void flush(std::chrono::milliseconds maxWait) override { file_->flush(maxWait); }

private:
  const std::shared_ptr<AuditFile> file_;
};

std::unique_ptr<ObserverFeature> makeAuditFile(const Configuration &configuration) {
  const auto path = configuration.features.textIfAny("access.audit_log");
  return path ? std::make_unique<AuditFileFeature>(*path) : nullptr;
}

} // namespace

ObserverFeatureKind auditFileFeature() { return {.name = "audit_file", .make = makeAuditFile}; }

} // namespace skillhost::app
