// SPDX-License-Identifier: Apache-2.0
#include "filtered_source.hpp"

#include "instance_configuration.hpp"

#include <cstddef>
#include <functional>
#include <utility>

namespace skillhost::app {
namespace {

// A filter and what it wraps, under the name of the source. Only the filter is asked for content.
class FilteredSource final : public Source {
public:
  FilteredSource(std::shared_ptr<Source> source, std::shared_ptr<Source> filter)
      : source_(std::move(source)), filter_(std::move(filter)) {}

  const std::string &name() const noexcept override { return source_->name(); }
  // The filter itself does not notice that the source has changed, and is asked for changes.
  void onChanged(std::function<void()> listener) override {
    filter_->onChanged(listener);
    source_->onChanged(std::move(listener));
  }
  // The filter stops first, because its calls wait for the source.
  void stop() override {
    filter_->stop();
    source_->stop();
  }
  bool supportsPinning() const noexcept override { return filter_->supportsPinning(); }
  bool isFilter() const noexcept override { return true; }
  void list(CallOptions options, ResultCallback<Snapshot> answer) override {
    filter_->list(std::move(options), std::move(answer));
  }
  void changes(CallOptions options, std::string since, ResultCallback<Changes> answer) override {
    filter_->changes(std::move(options), std::move(since), std::move(answer));
  }
  void read(CallOptions options, Document document, std::size_t limit,
            ResultCallback<std::string> answer) override {
    filter_->read(std::move(options), std::move(document), limit, std::move(answer));
  }
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    filter_->readEach(std::move(options), std::move(documents), limit, std::move(each),
                      std::move(done));
  }

private:
  const std::shared_ptr<Source> source_, filter_;
};

// No name of a source has a '+', so the name of a filter's instance is unique.
std::string instanceName(const SourceConfiguration &source, const PluginEntry &filter) {
  return source.name + '+' + filter.name;
}

} // namespace

std::vector<std::string> instancesOf(const SourceConfiguration &source) {
  std::vector<std::string> names{source.name};
  for (const PluginEntry &one : source.filters)
    if (one.enabled) names.push_back(instanceName(source, one));
  return names;
}

Result<std::shared_ptr<Source>> makeFilteredSource(PluginRegistry &plugins,
                                                   const Configuration &configuration,
                                                   const SourceConfiguration &source,
                                                   const SourcePin &pin,
                                                   SettingProblems &problems) {
  std::size_t left = instancesOf(source).size();
  const auto make = [&](InstanceConfiguration instance) {
    if (--left == 0)
      instance.pin = pin;
    else if (pin.mode == SourcePin::Mode::Newest)
      instance.pin.mode = pin.mode;
    return plugins.makeSource(instance, &problems);
  };
  Result<std::shared_ptr<Source>> made = make(instanceOfSource(configuration, source));
  for (std::size_t i = 0; made && i < source.filters.size(); ++i) {
    const PluginEntry &one = source.filters[i];
    if (!one.enabled) continue;
    InstanceConfiguration instance = instanceOf(instanceName(source, one), one);
    instance.upstream = *made;
    Result<std::shared_ptr<Source>> filter = make(std::move(instance));
    for (SettingProblem &problem : problems)
      problem.setting = "filters[" + std::to_string(i) + "]." + problem.setting;
    if (!filter) return filter;
    made = std::shared_ptr<Source>(
        std::make_shared<FilteredSource>(*std::move(made), *std::move(filter)));
  }
  return made;
}

} // namespace skillhost::app
