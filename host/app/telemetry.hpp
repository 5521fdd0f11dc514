// SPDX-License-Identifier: Apache-2.0
// The telemetry that the configuration asks for.
#pragma once

#include "app/configuration.hpp"
#include "telemetry/exporter.hpp"

#include <memory>

namespace skillhost::app {

// Null: none is asked for. Throws std::runtime_error that names the key and says what to write, or
// that libcurl cannot be had.
std::unique_ptr<telemetry::Exporter> makeExporter(const Configuration &configuration);

} // namespace skillhost::app
