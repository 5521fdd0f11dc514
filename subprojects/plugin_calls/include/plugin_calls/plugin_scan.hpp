// SPDX-License-Identifier: Apache-2.0
// A confined process looks into a plugin file that nobody has vouched for. This is its answer.
#pragma once

#include "plugin_calls/plugin_facts.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct PluginScan {
  std::vector<PluginFacts> plugins;
  std::string refusal;  // why the file cannot be used; empty: it can
  bool crashed = false; // the process ended before it could answer; the refusal says how
};

// Writes and reads the JSON in which the process answers, which the cache keeps too. Reading never
// fails: a text that cannot be read becomes a refusal.
std::string toJson(const PluginScan &scan);
PluginScan scanFromJson(const std::string &text);

} // namespace skillhost
