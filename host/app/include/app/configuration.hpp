// SPDX-License-Identifier: Apache-2.0
// Every setting of the host with its default, and those of the keys that features declare. The keys
// of the file, their limits and their documentation are the table in configuration/keys.cpp. Plain
// values; paths are absolute once read.
#pragma once

#include "app/log_configuration.hpp"
#include "ground/json.hpp"
#include "mcp/settings.hpp"
#include "net/http_settings.hpp"
#include "plugin/run_settings.hpp"
#include "settings/feature_settings.hpp"
#include "skills/skill.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::app {

// What becomes of relative paths in a skill's text. Auto: Absolute for local files on stdio, else
// Uri.
enum class Paths : std::uint8_t { Auto, Absolute, Uri, Untouched };

// One client on standard input and output, or many over HTTP.
enum class Transport : std::uint8_t { Stdio, Http };

// Whether a TLS client has to show a certificate, where authorities for these are named.
enum class ClientCertificates : std::uint8_t { Required, Optional };

// Whose header fields the auth plugin is told.
enum class HeadersFrom : std::uint8_t { Proxies, Anyone };

struct SourceConfiguration {
  std::string name; // 1 to 64 of a-z 0-9 . _ -, the first a letter or digit; unique
  std::string plugin = "filesystem"; // short name, full id, or absolute path of a .so
  bool enabled = true;
  Json config = Json::object(); // for the plugin's own schema; references are resolved
  RunSettings run;
  FeatureSettings features; // of the keys "sources[].NAME" that features own
  std::string key;          // what begins its keys in `places`: "sources[0]"
};

// A plugin that brings tools, prompts and resources of its own.
struct ToolsConfiguration {
  std::string name;   // as a source's, and no source's
  std::string plugin; // short name, full id, or absolute path of a .so; never empty once read
  bool enabled = true;
  Json config = Json::object(); // as for a source
  RunSettings run;
  std::string key; // as a source's: "tools[0]"
};

struct PluginsConfiguration {
  std::vector<std::string> directories; // looked in before the built-in ones
  std::optional<std::string> lock;      // the list of plugin files that may be loaded; none: any
};

struct SearchConfiguration {
  std::string plugin = "keyword"; // as for a source, or "none"
  Json config = Json::object();
  std::optional<double> minScore; // none: that of SearchFloor
  RunSettings run;
};

struct AuthConfiguration {
  std::string plugin = "none"; // as for a source, or "none": nobody is asked
  Json config = Json::object();
  RunSettings run;
  std::vector<std::string> headers; // whose values it is told too
  HeadersFrom headersFrom = HeadersFrom::Proxies;
  std::optional<std::string> resource; // canonical URI of this server; none: http.public_url
  // The shorthand; once read, `plugin` and `config` say it too.
  std::optional<std::string> oauthClientId, oauthClientSecret, oauthProviderUrl;
};

// What the replicas of one service share.
struct StateConfiguration {
  std::string plugin = "memory"; // as for a source, or "memory": each process keeps its own
  Json config = Json::object();
  RunSettings run;
  std::optional<std::string> secret; // the same for all replicas; never none beside a plugin
  std::string prefix = "skillhost";  // of every key and channel; a-z A-Z 0-9 . _ -

  // Whether there is anything to share: one client on stdio has one process.
  bool isShared(Transport transport) const {
    return plugin != "memory" && transport == Transport::Http;
  }
};

// Which skills a rule names, and who sees them.
struct VisibilityConfiguration {
  std::vector<std::string> sources, categories; // globs
  std::vector<std::string> scopes;
  std::vector<std::string> principals; // globs
  std::vector<std::string> issuers;
  friend bool operator==(const VisibilityConfiguration &,
                         const VisibilityConfiguration &) = default;
};

struct AccessConfiguration {
  std::optional<std::string> readScope; // none: skills:read; empty: whoever is known may
  std::string manageScope = "skills:manage";
  std::string reviewScope = "skills:review";
  std::vector<VisibilityConfiguration> visibility;
};

struct HttpConfiguration {
  std::vector<std::string> listen{"127.0.0.1"}; // host, host:port, [v6]:port, unix:/path, systemd
  std::size_t port = 8'080;                     // of the addresses that name none; 0: a free one
  std::string path = "/mcp";
  std::optional<std::string> publicUrl; // https://skills.example.org/mcp
  std::vector<std::string> allowedHosts, allowedOrigins;
  bool allowAnonymous = false; // also where other machines can reach it
  std::optional<std::string> tlsCertificate, tlsKey;
  std::optional<std::string> tlsClientCa;
  std::optional<ClientCertificates> tlsClientCertificates; // with tlsClientCa; none: Required
  std::vector<std::string> trustedProxies;                 // addresses, networks, "unix"
  ForwardedField forwardedField = ForwardedField::Auto;
  bool proxyProtocol = false; // of trusted proxies
  std::size_t maxConnections = 10'240;
  std::size_t maxConnectionsPerPeer = 2'048; // 0: no limit
  std::size_t idleSeconds = 75;
  std::size_t maxSessions = 10'000;
  std::size_t sessionIdleSeconds = 3'600;
  std::size_t sessionMaxAgeSeconds = 86'400;
};

struct RefreshConfiguration {
  std::size_t debounceMs = 50; // between two readings of a source that keeps changing
};

struct Configuration {
  // In order of precedence: of two skills with one name, the earlier source's wins.
  std::vector<SourceConfiguration> sources;
  // In the order in which what they bring is listed: of two of one name the earlier is served.
  std::vector<ToolsConfiguration> tools;
  // The shorthand as it was written; empty once read, when each has become a source.
  std::vector<std::string> skillsDirs;
  // None: only when nobody says where skills come from. Once read, those that are there are
  // sources.
  std::optional<bool> usualFolders;
  // None: the working directory (never none once read). Empty: off.
  std::optional<std::string> projectRoot;
  Expose expose = Expose::Gateway;
  Results results = Results::Auto;
  bool operatorTools = false; // hosts of agents are offered the tools of operators too
  Paths paths = Paths::Auto;
  bool keepGoing = false;       // without the sources and plugins that are configured wrongly
  bool copyRemoteSkills = true; // on stdio, when they are loaded
  Strictness skillRules = Strictness::Lenient; // which rules a skill has to keep
  bool strict = false;              // the shorthand for Strictness::Strict, also once read
  NameRule names = NameRule::First; // who has a name that several skills claim
  // Globs on <source>/<path>. Excluded wins over included; no include means all.
  std::vector<std::string> includeSkills;
  std::vector<std::string> excludeSkills;
  std::size_t defaultTopK = 3;
  std::optional<std::size_t> maxSkillContentChars; // none: unlimited
  std::optional<std::string> instructions;         // in place of the server's own
  std::size_t pageSize = 200;                      // entries in one answer of a list
  std::size_t startupWaitMs = 2'000; // how long first requests wait for the first catalogue
  Transport transport = Transport::Stdio;
  HttpConfiguration http;
  PluginsConfiguration plugins;
  SearchConfiguration search;
  AuthConfiguration auth;
  AccessConfiguration access;
  StateConfiguration state;
  LogConfiguration log;
  bool passTraces = true; // requests that plugins make for a call say which trace it belongs to
  Limits limits;
  Deadlines deadlines;
  CacheRules cache;
  RateRules rateLimit;
  RefreshConfiguration refresh;
  FeatureSettings features; // of the keys that features own
  // Values inside the config objects above that nobody may see; registered with log::redact too.
  std::vector<std::string> secrets;
  // Where each key was written, "sources[0].config.url" → "/etc/skillhost.yaml:3:5", or the name of
  // a variable or an option.
  std::map<std::string, std::string> places;
};

} // namespace skillhost::app
