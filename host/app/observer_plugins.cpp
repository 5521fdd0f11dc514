// SPDX-License-Identifier: Apache-2.0
#include "observer_plugins.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <string_view>

namespace skillhost::app {

bool isAboutObserver(const log::ExportedLine &line, const ObserverNames &names) {
  if (names.contains(line.origin)) return true;
  // The host reports about an instance in lines that begin with its name.
  if (!line.origin.empty() || (line.part != "plugin" && line.part != "network")) return false;
  const std::size_t colon = line.text.find(": ");
  return colon != std::string_view::npos && names.contains(line.text.substr(0, colon));
}

ObserverPlugins::ObserverPlugins(const Configuration &configuration, Delivery delivery)
    : delivery_(delivery) {
  for (const PluginEntry &one : configuration.observers)
    if (one.enabled) all_.emplace_back(one, std::make_shared<EventQueue>(one.name));
}

Observers ObserverPlugins::with(Observers others) const {
  if (delivery_ == Delivery::Events)
    for (const auto &[configuration, queue] : all_) others = others.with(queue);
  return others;
}

void ObserverPlugins::makeAll(const Make &make) {
  std::vector<std::future<void>> attached;
  attached.reserve(all_.size());
  for (const auto &one : all_)
    attached.push_back(
        std::async(std::launch::async, [&make, &one] { one.second->attach(make(one.first)); }));
  for (auto &one : attached) one.get();
  ObserverNames names;
  std::vector<std::shared_ptr<EventQueue>> hearing;
  for (const auto &[configuration, queue] : all_) {
    names.insert(queue->name());
    if ((queue->wants() & event::logRecord) != 0) hearing.push_back(queue);
  }
  if (delivery_ == Delivery::Nothing || hearing.empty()) return;
  // Otherwise two observers that log each line they receive would cause each other's lines without
  // end.
  log::exportTo(this, [names = std::move(names),
                       hearing = std::move(hearing)](const log::ExportedLine &line) {
    if (isAboutObserver(line, names)) return;
    for (const auto &queue : hearing)
      queue->logRecord(line.level, line.part, line.text, line.members);
  });
}

Readiness ObserverPlugins::readiness() const {
  Readiness report;
  for (const auto &[configuration, queue] : all_) {
    const ObserverState state = queue->condition(~EventMask{0});
    report.isDegraded = report.isDegraded || state.failing;
    report.details["observers"][queue->name()] = {{"failing", state.failing},
                                                  {"lost_events", state.lost}};
  }
  return report;
}

void ObserverPlugins::stop() {
  using namespace std::chrono;
  log::exportTo(this, nullptr);
  const auto until = steady_clock::now() + milliseconds(500);
  for (const auto &[configuration, queue] : all_)
    queue->stop(std::max(ceil<milliseconds>(until - steady_clock::now()), milliseconds(0)));
}

} // namespace skillhost::app
