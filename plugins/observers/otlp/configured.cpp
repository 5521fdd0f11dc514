// SPDX-License-Identifier: Apache-2.0
#include "configured.hpp"

#include "ground/percent.hpp"
#include "ground/text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>

namespace skillhost::app {
namespace {

std::string endpointOf(std::string text) {
  const bool isUrl = text.starts_with("http://") || text.starts_with("https://");
  const bool isPlain = text.find_first_of("?# \t\r\n@") == std::string::npos;
  if (!isUrl || !isPlain)
    // A URL with a user or a query may contain a secret, so it is not quoted.
    throw std::runtime_error(
        "telemetry.otlp_endpoint: " + (isPlain ? '"' + text + "\" is" : std::string("it is")) +
        " not the address of a collector: write http://HOST:4318 or https://HOST:4318, without "
        "user and query; the server appends /v1/traces and the other paths");
  while (text.ends_with('/')) text.pop_back();
  return text;
}

} // namespace

std::vector<std::pair<std::string, std::string>> collectorHeaders(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> headers;
  const auto isNameCharacter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  // The message does not quote the wrong value, because it may be a secret.
  const auto refuse = [&](const char *why) {
    throw std::runtime_error("telemetry.otlp_headers: header " +
                             std::to_string(headers.size() + 1) + why);
  };
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t sign = std::min(one.find('='), one.size());
    const std::string_view name = trimmedSpacesAndTabs(one.substr(0, sign));
    const std::string_view value = trimmedSpacesAndTabs(one.substr(std::min(sign + 1, one.size())));
    if (name.empty() || value.empty() || !std::all_of(name.begin(), name.end(), isNameCharacter))
      refuse(" is not a header: write NAME=VALUE,NAME=VALUE");
    std::optional<std::string> decoded = decodeStrictPercents(value);
    if (!decoded)
      refuse(": two hexadecimal digits have to follow % in a value; write %25 for the sign itself");
    if (std::any_of(decoded->begin(), decoded->end(), isControl))
      refuse(" has a control character in its value");
    headers.emplace_back(name, *std::move(decoded));
  }
  return headers;
}

std::optional<telemetry::Settings> exporterSettings(const Configuration &configuration) {
  const FeatureSettings &from = configuration.features;
  const auto endpoint = from.textIfAny("telemetry.otlp_endpoint");
  if (!endpoint) return std::nullopt;
  telemetry::Settings settings;
  settings.endpoint = endpointOf(*endpoint);
  settings.headers = collectorHeaders(from.textIfAny("telemetry.otlp_headers").value_or(""));
  settings.caFile = from.textIfAny("telemetry.otlp_ca").value_or("");
  settings.metricsInterval = std::chrono::seconds(from.number("telemetry.otlp_metrics_interval_s"));
  settings.serviceVersion = SKILLHOST_VERSION;
  settings.transport = configuration.transport == Transport::Http ? "tcp" : "pipe";
  return settings;
}

} // namespace skillhost::app
