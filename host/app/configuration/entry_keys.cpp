// SPDX-License-Identifier: Apache-2.0
// Defines the keys of the entries of `sources` and their `filters`, `tools`, `observers`,
// `http_handlers` and `access.visibility`.
#include "configuration/key_rows.hpp"
#include "configuration/keys.hpp"
#include "settings/declared_keys.hpp"

#include <array>

namespace skillhost::app {
namespace {

using namespace rows;

constexpr RunNames runNames{"isolation", "allow_read", "memory_mb",
                            "cache_mb",  "network",    "threads"};

using S = SourceConfiguration;
constexpr std::array source{
    key<S, &S::name>("name", "", Rule{1, 64, Meaning::SourceName},
                     "Required and unique; a-z 0-9 . _ -, at most 64 characters. Part of every "
                     "skill's URI."),
    key<S, &S::plugin>("plugin", "", plugins,
                       "The source plugin: a short name, a full id such as "
                       "org.skillhost.filesystem, or the path of a .so."),
    key<S, &S::enabled>("enabled", "", any, "false: leave this source out."),
    key<S, &S::config>(
        "config", "", any,
        "Settings of the plugin, checked against its own schema. ${env:NAME}, ${file:PATH} and a "
        "whole env:NAME are replaced by what they name, and never shown; texts that begin with "
        "~/, ./ or ../ become absolute paths."),
    key<S, &S::filters>(
        "filters", "", any,
        "Source plugins that filter this source. The first one receives what the source serves, "
        "each other one what the one before it serves, and the last one decides what is served. If "
        "one fails, nothing that it has not let through is served."),
};

using P = PluginEntry;
constexpr std::array pluginEntry{
    key<P, &P::name>("name", "", Rule{1, 64, Meaning::SourceName},
                     "Required and unique; a-z 0-9 . _ -, at most 64 characters. What the log, the "
                     "statistics and `skillhost plugins` call it."),
    key<P, &P::plugin>("plugin", "", plugins,
                       "Required. The plugin: a short name, a full id such as "
                       "org.example.notes, or the path of a .so."),
    key<P, &P::enabled>("enabled", "", any, "false: leave this plugin out."),
    key<P, &P::config>("config", "", any,
                       "Settings of the plugin. References as in a source's config."),
};

using V = VisibilityConfiguration;
constexpr std::array visibility{
    key<V, &V::sources>(
        "sources", "", globs,
        "Globs of names: the rule applies to skills of these sources, and to what the plugins of "
        "these names (tools[].name) offer. Empty: all. A name that does not exist is an error at "
        "the start; a pattern that matches nothing yet is a warning."),
    key<V, &V::categories>(
        "categories", "", globs,
        "Globs of categories: the rule applies only to skills of these. Empty: all. A rule whose "
        "category no skill has applies to nothing; the log and `skillhost doctor` report it as an "
        "error once all sources have answered."),
    key<V, &V::scopes>("scopes", "", Rule{1, 256, Meaning::Scope},
                       "A caller with one of these scopes satisfies the rule."),
    key<V, &V::principals>(
        "principals", "", globs,
        "Globs of subjects: a caller whose subject matches one of them satisfies the rule, too. "
        "Without scopes, principals and issuers nobody satisfies it."),
    key<V, &V::issuers>("issuers", "", Rule{1, 2'000},
                        "Only callers from one of these issuers satisfy the rule (the iss of a "
                        "token; that of the plugin static is \"static\"). Without scopes and "
                        "principals, all callers from one of them do."),
};

} // namespace

std::span<const SourceKey> sourceKeys() {
  static const std::vector<SourceKey> all = withDeclared<S>(
      joined<S>(source, runRows<S, &S::run>(runNames, sourceIsolation)), "sources[].");
  return all;
}

std::span<const PluginEntryKey> pluginEntryKeys() {
  static const std::vector<PluginEntryKey> all =
      joined<P>(pluginEntry, runRows<P, &P::run>(runNames, isolation));
  return all;
}
std::span<const VisibilityKey> visibilityKeys() { return visibility; }

} // namespace skillhost::app
