// SPDX-License-Identifier: Apache-2.0
// The only source that includes prometheus-cpp.
#include "prometheus_text.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>
#include <sstream>

namespace skillhost {
namespace {

prometheus::MetricType typeOf(metrics::Kind kind) {
  switch (kind) {
  case metrics::Kind::Counter:
    return prometheus::MetricType::Counter;
  case metrics::Kind::Gauge:
    return prometheus::MetricType::Gauge;
  case metrics::Kind::Histogram:
    break;
  }
  return prometheus::MetricType::Histogram;
}

prometheus::ClientMetric::Histogram histogramOf(const metrics::HistogramSnapshot &from) {
  prometheus::ClientMetric::Histogram histogram;
  histogram.sample_count = from.count;
  histogram.sample_sum = from.sum;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < from.counts.size(); ++i) {
    below += from.counts[i];
    histogram.bucket.push_back(
        {below, i < from.bounds.size() ? from.bounds[i] : std::numeric_limits<double>::infinity()});
  }
  return histogram;
}

prometheus::ClientMetric metricOf(const metrics::Registry::Value &from) {
  prometheus::ClientMetric metric;
  for (const auto &[name, value] : from.name.labels) metric.label.push_back({name, value});
  if (from.kind == metrics::Kind::Counter)
    metric.counter.value = from.number;
  else if (from.kind == metrics::Kind::Gauge)
    metric.gauge.value = from.number;
  else
    metric.histogram = histogramOf(from.histogram);
  return metric;
}

} // namespace

std::string prometheusText(const metrics::Registry &registry,
                           const std::function<bool(const metrics::SeriesName &name)> &isTold) {
  std::vector<prometheus::MetricFamily> families;
  for (const metrics::Registry::Value &value : registry.snapshot()) {
    if (!isTold(value.name)) continue;
    if (families.empty() || families.back().name != value.name.name)
      families.push_back({value.name.name, "", typeOf(value.kind), {}});
    families.back().metric.push_back(metricOf(value));
  }
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, families);
  return text.str();
}

} // namespace skillhost
