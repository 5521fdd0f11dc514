// SPDX-License-Identifier: Apache-2.0
#include "prometheus_text.hpp"

#include "base/http.hpp"
#include "base/metric_help.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <system_error>

namespace skillhost {
namespace {

using metrics::Kind;
using Value = metrics::Registry::Value;

constexpr std::string_view openMetricsType = "application/openmetrics-text";
constexpr std::string_view totalEnd = "_total", infoEnd = "_info";

void appendNumber(std::string &out, double number) {
  if (std::isnan(number)) out += "NaN";
  if (std::isinf(number)) out += number > 0 ? "+Inf" : "-Inf";
  if (!std::isfinite(number)) return;
  // Writes the shortest text that reads as the same number, in the form of these formats: 0.0001,
  // but 1e-05.
  const double size = std::abs(number);
  const bool isFixed = size >= 1e-4 && size < 1;
  char text[32];
  const auto written =
      isFixed ? std::to_chars(std::begin(text), std::end(text), number, std::chars_format::fixed)
              : std::to_chars(std::begin(text), std::end(text), number);
  out.append(std::begin(text), written.ptr);
}

// Returns the bound of a bucket. OpenMetrics writes it with a fraction.
std::string boundOf(double bound, MetricsForm form) {
  std::string text;
  appendNumber(text, bound);
  const bool isPlain = text.find_first_not_of("0123456789") == std::string::npos;
  return form == MetricsForm::OpenMetrics && isPlain ? text + ".0" : text;
}

// Both formats escape the value of a label in the same way.
void appendLabel(std::string &out, std::string_view name, std::string_view value) {
  out += out.empty() ? "{" : ",";
  (out += name) += "=\"";
  for (const char c : value)
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  out += '"';
}

std::string labelsOf(const Value &value, std::string_view bound = {}) {
  std::string out;
  for (const auto &[name, text] : value.name.labels) appendLabel(out, name, text);
  if (!bound.empty()) appendLabel(out, "le", bound);
  if (!out.empty()) out += '}';
  return out;
}

void appendSample(std::string &out, std::string_view name, std::string_view labels, double number) {
  ((out += name) += labels) += ' ';
  appendNumber(out, number);
  out += '\n';
}

void appendHistogram(std::string &out, const Value &value, MetricsForm form) {
  const metrics::HistogramSnapshot &from = value.histogram;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < from.counts.size(); ++i) {
    below += from.counts[i];
    const double bound =
        i < from.bounds.size() ? from.bounds[i] : std::numeric_limits<double>::infinity();
    appendSample(out, value.name.name + "_bucket", labelsOf(value, boundOf(bound, form)),
                 static_cast<double>(below));
  }
  appendSample(out, value.name.name + "_count", labelsOf(value), static_cast<double>(from.count));
  appendSample(out, value.name.name + "_sum", labelsOf(value), from.sum);
}

// Returns the name for TYPE, HELP and UNIT. OpenMetrics omits the suffix of counters and infos.
std::string familyOf(const Value &value, MetricsForm form) {
  std::string_view name = value.name.name;
  if (value.kind == Kind::Counter && name.ends_with(totalEnd)) name.remove_suffix(totalEnd.size());
  std::string family(name);
  if (form == MetricsForm::Prometheus)
    return value.kind == Kind::Counter ? family.append(totalEnd) : family;
  if (value.kind == Kind::Gauge && name.ends_with(infoEnd))
    family.resize(family.size() - infoEnd.size());
  return family;
}

std::string_view typeOf(const Value &value, MetricsForm form) {
  if (value.kind == Kind::Counter) return "counter";
  if (value.kind == Kind::Histogram) return "histogram";
  return form == MetricsForm::OpenMetrics && value.name.name.ends_with(infoEnd) ? "info" : "gauge";
}

void appendHead(std::string &out, const std::string &family, const Value &value, MetricsForm form) {
  const std::string_view help = metrics::helpOf(value.name.name);
  ((((out += "# HELP ") += family) += ' ') += help) += '\n';
  ((((out += "# TYPE ") += family) += ' ') += typeOf(value, form)) += '\n';
  // If the family does not end with the unit, the reader rejects the whole scrape.
  const std::string_view unit = metrics::unitOf(value.name.name);
  if (form == MetricsForm::OpenMetrics && !unit.empty() && family.ends_with(unit))
    ((((out += "# UNIT ") += family) += ' ') += unit) += '\n';
}

void appendValue(std::string &out, const Value &value, MetricsForm form) {
  if (value.kind == Kind::Histogram) return appendHistogram(out, value, form);
  std::string name = value.name.name;
  if (value.kind == Kind::Counter && !name.ends_with(totalEnd)) name += totalEnd;
  appendSample(out, name, labelsOf(value), value.number);
}

// Returns the value of a parameter of one range of an Accept field, without blanks and quotes;
// empty if the range has no such parameter.
std::string parameterOf(std::string_view range, std::string_view name) {
  for (std::size_t at = range.find(';'); at != range.npos; at = range.find(';', at + 1)) {
    std::string text;
    for (const char c : range.substr(at + 1, range.find(';', at + 1) - at - 1))
      if (c != ' ' && c != '\t' && c != '"') text += c;
    const std::size_t equals = text.find('=');
    if (equals == name.size() && mediaTypeOf(text.substr(0, equals)) == name)
      return text.substr(equals + 1);
  }
  return {};
}

// Returns the weight of a range (RFC 9110 §12.4.2). A weight that is no number is ignored.
double weightOf(std::string_view range) {
  const std::string text = parameterOf(range, "q");
  double weight = 1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), weight);
  return read.ec == std::errc{} && weight >= 0 && weight <= 1 ? weight : 1;
}

} // namespace

MetricsForm metricsForm(std::string_view accept) {
  // A client that accepts anything gets the older format, which every reader knows.
  double open = 0, plain = 0;
  int precision = 0; // of the range that sets the weight of text/plain
  while (!accept.empty()) {
    const std::string_view one = accept.substr(0, accept.find(','));
    accept.remove_prefix(std::min(one.size() + 1, accept.size()));
    const std::string type = mediaTypeOf(one), version = parameterOf(one, "version");
    if (type == openMetricsType && (version.empty() || version == "1.0.0"))
      open = std::max(open, weightOf(one));
    const int precise = type == "text/plain" ? 3 : type == "text/*" ? 2 : type == "*/*" ? 1 : 0;
    if (precise == 0 || precise < precision) continue;
    plain = precise == precision ? std::max(plain, weightOf(one)) : weightOf(one);
    precision = precise;
  }
  return open > 0 && open >= plain ? MetricsForm::OpenMetrics : MetricsForm::Prometheus;
}

std::string_view contentType(MetricsForm form) noexcept {
  return form == MetricsForm::OpenMetrics
             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
             : "text/plain; version=0.0.4; charset=utf-8";
}

std::string metricsText(const metrics::Registry &registry, MetricsForm form,
                        const std::function<bool(const metrics::SeriesName &name)> &isTold) {
  std::string out, family;
  std::string_view name;
  std::set<std::string> families; // a repeated family would make the reader reject the whole scrape
  bool isRepeated = false;
  const std::vector<Value> values = registry.snapshot();
  for (const Value &value : values) {
    if (!isTold(value.name)) continue;
    if (value.kind == Kind::Histogram && value.histogram.count == 0) continue;
    if (name != value.name.name) {
      name = value.name.name;
      family = familyOf(value, form);
      isRepeated = !families.insert(family).second;
      if (!isRepeated) appendHead(out, family, value, form);
    }
    if (!isRepeated) appendValue(out, value, form);
  }
  if (form == MetricsForm::OpenMetrics) out += "# EOF\n";
  return out;
}

} // namespace skillhost
