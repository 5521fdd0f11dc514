// SPDX-License-Identifier: Apache-2.0
#include "telemetry.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

namespace skillhost::app {
namespace {

std::string endpointOf(std::string text) {
  const bool isUrl = text.starts_with("http://") || text.starts_with("https://");
  const bool isPlain = text.find_first_of("?# \t\r\n@") == std::string::npos;
  if (!isUrl || !isPlain)
    // What has a user or a query may have a secret.
    throw std::runtime_error(
        "telemetry.otlp_endpoint: " + (isPlain ? '"' + text + "\" is" : std::string("it is")) +
        " no address of a collector: write http://HOST:4318 or "
        "https://HOST:4318, without user and query; /v1/traces and its like "
        "come behind it");
  while (text.ends_with('/')) text.pop_back();
  return text;
}

// "name=value,name=value": which value is wrong is not told, for it may be a secret.
std::vector<std::pair<std::string, std::string>> headersOf(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> headers;
  const auto isNameCharacter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t sign = one.find('=');
    const std::string_view name = one.substr(0, sign);
    const std::string_view value =
        sign == std::string_view::npos ? std::string_view{} : one.substr(sign + 1);
    if (name.empty() || value.empty() || !std::all_of(name.begin(), name.end(), isNameCharacter) ||
        std::any_of(value.begin(), value.end(), isControl))
      throw std::runtime_error("telemetry.otlp_headers: header " +
                               std::to_string(headers.size() + 1) +
                               " is none: write NAME=VALUE,NAME=VALUE");
    headers.emplace_back(name, value);
  }
  return headers;
}

} // namespace

std::unique_ptr<telemetry::Exporter> makeExporter(const Configuration &configuration) {
  const TelemetryConfiguration &from = configuration.telemetry;
  if (!from.endpoint) return nullptr;
  telemetry::Settings settings;
  settings.endpoint = endpointOf(*from.endpoint);
  settings.headers = headersOf(from.headers.value_or(""));
  settings.caFile = from.caFile.value_or("");
  settings.metricsInterval = std::chrono::seconds(from.metricsIntervalSeconds);
  settings.serviceVersion = SKILLHOST_VERSION;
  settings.transport = configuration.transport == Transport::Http ? "tcp" : "pipe";
  return std::make_unique<telemetry::Exporter>(std::move(settings));
}

} // namespace skillhost::app
