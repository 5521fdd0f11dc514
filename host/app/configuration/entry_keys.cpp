// SPDX-License-Identifier: Apache-2.0
// Defines the keys of the entries of `sources`, `tools`, `observers`, `http_handlers` and
// `access.visibility`.
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
};

using T = ToolsConfiguration;
constexpr std::array toolPlugin{
    key<T, &T::name>("name", "", Rule{1, 64, Meaning::SourceName},
                     "Required and unique; a-z 0-9 . _ -, at most 64 characters. What the log, the "
                     "statistics and `skillhost plugins` call it."),
    key<T, &T::plugin>("plugin", "", plugins,
                       "Required. The plugin: a short name, a full id such as "
                       "org.example.notes, or the path of a .so."),
    key<T, &T::enabled>("enabled", "", any, "false: leave this plugin out."),
    key<T, &T::config>("config", "", any,
                       "Settings of the plugin. References as in a source's config."),
};

using V = VisibilityConfiguration;
constexpr std::array visibility{
    key<V, &V::sources>(
        "sources", "", globs,
        "Globs: the rule names skills of these sources, and what plugins of these "
        "names bring (tools[].name). Empty: of all. A name that does not exist ends "
        "the start; a pattern that matches nothing yet is a warning."),
    key<V, &V::categories>("categories", "", globs,
                           "Globs: and of these categories. Empty: of all. A name that no skill "
                           "has is an error in the log and in `skillhost doctor`, once all "
                           "sources have answered; the rule is then about nothing."),
    key<V, &V::scopes>("scopes", "", Rule{1, 256, Meaning::Scope},
                       "Who has one of these scopes satisfies the rule."),
    key<V, &V::principals>("principals", "", globs,
                           "Globs: so does whose subject matches one of these. Neither scopes nor "
                           "principals nor issuers: nobody."),
    key<V, &V::issuers>("issuers", "", Rule{1, 2'000},
                        "Who satisfies the rule has to be of one of these issuers (the iss of a "
                        "token; that of the plugin static is \"static\"). Without scopes and "
                        "principals: whoever is of one of them."),
};

} // namespace

std::span<const SourceKey> sourceKeys() {
  static const std::vector<SourceKey> all = withDeclared<S>(
      joined<S>(source, runRows<S, &S::run>(runNames, sourceIsolation)), "sources[].");
  return all;
}

std::span<const ToolsKey> toolsKeys() {
  static const std::vector<ToolsKey> all =
      joined<T>(toolPlugin, runRows<T, &T::run>(runNames, isolation));
  return all;
}
std::span<const VisibilityKey> visibilityKeys() { return visibility; }

} // namespace skillhost::app
