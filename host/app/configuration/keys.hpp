// SPDX-License-Identifier: Apache-2.0
// The table of keys: those of the host, and those that features declare. It alone drives reading
// and checking, --example-config, the table of doc/configuration.md, the JSON Schema, the names of
// environment variables and the options of the command line.
#pragma once

#include "configuration/values.hpp"
#include "settings/key.hpp"

#include <span>
#include <string>
#include <string_view>

namespace skillhost::app {

using Section = Heading; // of the configuration

using HostKey = Key<Configuration>;
using SourceKey = Key<SourceConfiguration>;
using PluginEntryKey = Key<PluginEntry>;
using VisibilityKey = Key<VisibilityConfiguration>;

std::span<const HostKey> hostKeys();     // of the whole configuration, with those of its sections
std::span<const SourceKey> sourceKeys(); // of one entry of `sources`
std::span<const PluginEntryKey>
pluginEntryKeys(); // of one entry of `tools`, `observers`, `http_handlers` or a source's `filters`
std::span<const VisibilityKey> visibilityKeys(); // of one entry of `access.visibility`
std::span<const Section> sections();
const HostKey *findKey(std::string_view name);

// Returns what to write instead of a key that earlier versions had, such as "sources[0].shared";
// empty for every other key.
std::string_view removedKey(std::string_view key);

// Returns the key's environment variable: variableFor(), except for skills_dirs, whose variable has
// the name of its option.
std::string variableName(std::string_view key);

} // namespace skillhost::app
