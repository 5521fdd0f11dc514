// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skillhost::metrics {
namespace {

constexpr std::size_t maxNameBytes = 100;

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

} // namespace

bool goodName(std::string_view name) noexcept {
  return !name.empty() && name.size() <= maxNameBytes && letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

bool Registry::mayAdd(Kind kind, const SeriesName &name) const {
  if (series_.size() >= maxSeries_ || !goodName(name.name)) return false;
  const auto known = kinds_.find(name.name);
  return (known == kinds_.end() || known->second == kind) &&
         std::all_of(name.labels.begin(), name.labels.end(),
                     [](const auto &label) { return goodName(label.first); });
}

template <class Of, class... Arguments>
Of &Registry::find(Kind kind, SeriesName name, Of &unseen, Arguments... arguments) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = series_.find(name); found != series_.end()) {
    if (Of *const series = std::get_if<Of>(&*found->second)) return *series;
  } else if (mayAdd(kind, name)) {
    kinds_.emplace(name.name, kind);
    auto made = std::make_unique<Series>(std::in_place_type<Of>, arguments...);
    return *std::get_if<Of>(&*series_.emplace(std::move(name), std::move(made)).first->second);
  }
  dropped_.add();
  return unseen;
}

Counter &Registry::counter(SeriesName name) {
  return find(Kind::Counter, std::move(name), unseenCounter_);
}
Gauge &Registry::gauge(SeriesName name) { return find(Kind::Gauge, std::move(name), unseenGauge_); }
Histogram &Registry::histogram(SeriesName name, Bounds bounds) {
  return find(Kind::Histogram, std::move(name), unseenHistogram_, bounds);
}

Registry::Collector Registry::collect(std::function<void()> refresh) {
  const std::scoped_lock lock(collectors_->mutex);
  const std::uint64_t number = ++collectors_->last;
  collectors_->all.emplace(number, std::move(refresh));
  return {collectors_.get(), [collectors = collectors_, number](const Collectors *) {
            const std::scoped_lock ending(collectors->mutex);
            collectors->all.erase(number);
          }};
}

std::vector<Registry::Value> Registry::snapshot() const {
  {
    const std::scoped_lock lock(collectors_->mutex);
    for (const auto &[number, refresh] : collectors_->all) refresh();
  }
  std::vector<Value> out;
  const std::scoped_lock lock(mutex_);
  for (const auto &[name, series] : series_) {
    Value value{name, static_cast<Kind>(series->index()), 0, {}};
    if (const auto *const counter = std::get_if<Counter>(&*series)) value.number = counter->value();
    if (const auto *const gauge = std::get_if<Gauge>(&*series)) value.number = gauge->value();
    if (std::isnan(value.number)) continue;
    if (const auto *const histogram = std::get_if<Histogram>(&*series))
      value.histogram = histogram->snapshot();
    out.push_back(std::move(value));
  }
  return out;
}

Registry &all() {
  static Registry &registry = *new Registry; // NOLINT(cppcoreguidelines-owning-memory)
  return registry;
}

} // namespace skillhost::metrics
