// SPDX-License-Identifier: Apache-2.0
// Reads and writes the types of configuration fields that belong to the server itself.
#pragma once

#include "app/configuration.hpp"

#include "base/fault.hpp"
#include "settings/values.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace skillhost::settings {

template <> struct Names<Expose> {
  static constexpr std::array<std::string_view, 3> all{"gateway", "skills", "both"};
};
template <> struct Names<Strictness> {
  static constexpr std::array<std::string_view, 3> all{"lenient", "basic", "strict"};
};
template <> struct Names<NameRule> {
  static constexpr std::array<std::string_view, 2> all{"first", "strict"};
};
template <> struct Names<Results> {
  static constexpr std::array<std::string_view, 4> all{"auto", "text", "both", "structured"};
};
template <> struct Names<app::Paths> {
  static constexpr std::array<std::string_view, 4> all{"auto", "absolute", "uri", "untouched"};
};
template <> struct Names<EvictionPolicy> {
  static constexpr std::array<std::string_view, 3> all{"lru", "lfu", "fifo"};
};
template <> struct Names<app::Transport> {
  static constexpr std::array<std::string_view, 2> all{"stdio", "http"};
};
template <> struct Names<app::ClientCertificates> {
  static constexpr std::array<std::string_view, 2> all{"required", "optional"};
};
template <> struct Names<app::HeadersFrom> {
  static constexpr std::array<std::string_view, 2> all{"proxies", "anyone"};
};
template <> struct Names<ForwardedField> {
  static constexpr std::array<std::string_view, 3> all{"auto", "x-forwarded-for", "forwarded"};
};
template <> struct Names<Isolation> {
  static constexpr std::array<std::string_view, 3> all{"auto", "thread", "process"};
};
template <> struct Names<LogLevel> {
  static constexpr std::array<std::string_view, 4> all{"DEBUG", "INFO", "WARNING", "ERROR"};
};
template <> struct Names<log::Format> {
  static constexpr std::array<std::string_view, 2> all{"text", "json"};
};

void readValue(Reading &, const Written &, const Rule &, NetworkRule &);
Json writeValue(const NetworkRule &network, const Rule &);
constexpr Shape shapeOf(Identity<NetworkRule>) { return Shape::TextList; }

} // namespace skillhost::settings

namespace skillhost::app {

// The configuration is written in terms of settings: Reading, Written, Rule, Key and others.
using namespace settings;

void readValue(Reading &, const Written &, const Rule &, std::vector<SourceConfiguration> &);
void readValue(Reading &, const Written &, const Rule &, std::vector<PluginEntry> &);
void readValue(Reading &, const Written &, const Rule &, std::vector<VisibilityConfiguration> &);

Json writeValue(const std::vector<SourceConfiguration> &sources, const Rule &);
Json writeValue(const std::vector<PluginEntry> &entries, const Rule &);
Json writeValue(const std::vector<VisibilityConfiguration> &rules, const Rule &);

constexpr Shape shapeOf(Identity<std::vector<SourceConfiguration>>) { return Shape::Entries; }
constexpr Shape shapeOf(Identity<std::vector<PluginEntry>>) { return Shape::Entries; }
constexpr Shape shapeOf(Identity<std::vector<VisibilityConfiguration>>) { return Shape::Entries; }

} // namespace skillhost::app
