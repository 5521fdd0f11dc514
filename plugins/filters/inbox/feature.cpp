// SPDX-License-Identifier: Apache-2.0
#include "inbox/feature.hpp"

#include "base/log.hpp"
#include "inbox/configured.hpp"
#include "inbox_tools.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::string_view nameOfFilter = "inbox";

// Approved skills are served by a source as they are, so no source is wrapped.
class NoWrapper final : public SourceWrapper {
public:
  std::shared_ptr<Source> wrap(std::shared_ptr<Source> source) const override { return source; }
  std::string mark(const std::string & /*source*/) const override { return {}; }
};

class InboxFilter final : public SourceFilter {
public:
  explicit InboxFilter(const Configuration &configuration)
      : identifies_(configuration.auth.plugin != "none"),
        wrapper_(std::make_shared<const NoWrapper>()) {
    if (std::optional<inbox::InboxSettings> settings = inbox::inboxSettings(configuration))
      tools_ = std::make_unique<inbox::InboxTools>(*std::move(settings));
  }
  ~InboxFilter() override { stop(); }

  std::shared_ptr<const SourceWrapper> wrapper(const Configuration &configuration) override {
    const auto settings = inbox::inboxSettings(configuration);
    if (tools_ && settings && settings->store.skills != tools_->settings.store.skills)
      throw std::runtime_error("inbox.source: the first directory of the source " +
                               settings->source + " has changed, so the server must be restarted");
    return wrapper_;
  }
  // Reviewers exist only where callers are identified.
  bool withholds() const noexcept override { return tools_ && identifies_; }
  void logObstacles() const override {
    if (!tools_) return;
    if (const Status ready = tools_->store.prepare(); !ready)
      log::write(LogLevel::Warning, nameOfFilter,
                 "nobody can propose skills: " + ready.failure().message, {}, log::Audience::Log);
  }
  std::vector<FeatureTool> tools() override {
    if (!tools_) return {};
    inbox::InboxTools &all = *tools_;
    return {{&inbox::proposeTool, [&all](const ToolCall &tool) { all.propose(tool); }},
            {&inbox::listTool, [&all](const ToolCall &tool) { all.list(tool); }},
            {&inbox::showTool, [&all](const ToolCall &tool) { all.show(tool); }},
            {&inbox::reviewTool, [&all](const ToolCall &tool) { all.review(tool); }}};
  }
  std::vector<std::string> scopes() const override {
    if (!tools_ || tools_->settings.scope.empty()) return {};
    return {tools_->settings.scope};
  }
  void stop() override {
    if (tools_) tools_->worker.stop();
  }

private:
  const bool identifies_;
  const std::shared_ptr<const SourceWrapper> wrapper_;
  std::unique_ptr<inbox::InboxTools> tools_; // null: nobody can propose
};

} // namespace

FilterKind inboxFilter() {
  return {nameOfFilter,
          [](const Configuration &configuration, const ShareState & /*share*/) {
            return std::make_shared<InboxFilter>(configuration);
          },
          {std::string(inbox::proposeTool.name), std::string(inbox::listTool.name),
           std::string(inbox::showTool.name), std::string(inbox::reviewTool.name)}};
}

} // namespace skillhost::app
