// SPDX-License-Identifier: Apache-2.0
// What the configuration says of the collector.
#pragma once

#include "app/configuration.hpp"
#include "exporter.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::app {

// "NAME=VALUE,NAME=VALUE" as OTEL_EXPORTER_OTLP_HEADERS has it: blanks around names and values do
// not count, and %XX in a value is a byte. Throws std::runtime_error that names the place, and no
// value.
std::vector<std::pair<std::string, std::string>> collectorHeaders(std::string_view text);

// None: the configuration names no collector. Throws std::runtime_error that names the key and says
// what to write.
std::optional<telemetry::Settings> exporterSettings(const Configuration &configuration);

} // namespace skillhost::app
