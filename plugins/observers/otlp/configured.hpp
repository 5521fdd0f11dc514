// SPDX-License-Identifier: Apache-2.0
// Reads the settings of the collector from the configuration.
#pragma once

#include "app/configuration.hpp"
#include "exporter.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::app {

// Parses "NAME=VALUE,NAME=VALUE" as in OTEL_EXPORTER_OTLP_HEADERS: blanks around names and values
// are ignored, and %XX in a value is a byte. Throws std::runtime_error that names the place, and no
// value.
std::vector<std::pair<std::string, std::string>> collectorHeaders(std::string_view text);

// Returns nothing if the configuration names no collector. Throws std::runtime_error that names the
// key and says what to write.
std::optional<telemetry::Settings> exporterSettings(const Configuration &configuration);

} // namespace skillhost::app
