// SPDX-License-Identifier: Apache-2.0
#include "isolation/isolation.hpp"

#include "process/confinement.hpp"
#include "process/kernel.hpp"
#include "process/proxy.hpp"
#include "process/role_process.hpp"
#include "process/scan.hpp"

#include <utility>

namespace skillhost {
namespace {

class ProcessIsolation final : public PluginIsolation {
public:
  explicit ProcessIsolation(std::string runner) : runner_(std::move(runner)) {}

  PluginScan inspect(const std::string &file, int copy) const override {
    return process::scanInChild(runner_, file, copy);
  }
  std::shared_ptr<IsolatedPlugin> runIsolated(PluginFacts facts,
                                              IsolatedPluginSetup setup) const override {
    return std::make_shared<process::Proxy>(runner_, std::move(facts), std::move(setup));
  }
  std::string whyNotAsRoot(const PluginProcess &process) const override {
    return process::whyNotAsRoot(process::confinementOf(process));
  }
  std::string whyNoRunner() const override {
    const Status checked = process::checkRunner(runner_);
    if (checked) return {};
    return checked.failure().fault == Fault::NotFound
               ? "skillhost-runner is missing: " + runner_ + "; reinstall skillhost"
               : "skillhost-runner is not executed: " + checked.failure().message;
  }
  KernelFacts kernel() const override { return process::kernelFacts(); }
  PluginConfinement confine(const PluginProcess &process) const override {
    process::ConfinementResult confined = process::confine(process::confinementOf(process));
    return {confined.complete, std::move(confined.text), std::move(confined.refusal)};
  }

private:
  const std::string runner_;
};

} // namespace

std::shared_ptr<const PluginIsolation> makeIsolation(std::string runner) {
  return std::make_shared<const ProcessIsolation>(std::move(runner));
}

} // namespace skillhost
