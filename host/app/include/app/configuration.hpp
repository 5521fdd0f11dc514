// SPDX-License-Identifier: Apache-2.0
// Every setting of the host with its default, including those of the keys that features declare.
// The table in configuration/keys.cpp defines the keys of the file, their limits and their
// documentation. Plain values; paths are absolute after reading.
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

using settings::FeatureSettings;

// The treatment of relative paths in a skill's text. Auto means Absolute for local files on stdio,
// otherwise Uri.
enum class Paths : std::uint8_t { Auto, Absolute, Uri, Untouched };

// Stdio serves one client on standard input and output, Http serves many clients.
enum class Transport : std::uint8_t { Stdio, Http };

// Says whether a TLS client has to present a certificate, if certificate authorities are
// configured.
enum class ClientCertificates : std::uint8_t { Required, Optional };

// The peers whose header fields the auth plugin receives.
enum class HeadersFrom : std::uint8_t { Proxies, Anyone };

// A plugin that brings tools, prompts and resources of its own, observes the server, answers HTTP
// requests, or filters a source.
struct PluginEntry {
  // As for a source, but different from the names of all sources. The filters of a source only have
  // different names among themselves.
  std::string name;
  std::string plugin; // short name, full id, or absolute path of a .so; never empty after reading
  bool enabled = true;
  Json config = Json::object(); // as for a source
  RunSettings run;
  // As a source's: "tools[0]", "observers[0]", "http_handlers[0]" or "sources[0].filters[0]".
  std::string key;
  friend bool operator==(const PluginEntry &a, const PluginEntry &b) {
    return a.name == b.name && a.plugin == b.plugin && a.enabled == b.enabled &&
           a.config == b.config && a.run == b.run;
  }
};

struct SourceConfiguration {
  std::string name; // 1 to 64 of a-z 0-9 . _ -, the first a letter or digit; unique
  std::string plugin = "filesystem"; // short name, full id, or absolute path of a .so
  bool enabled = true;
  Json config = Json::object(); // for the plugin's own schema; references are resolved
  RunSettings run;
  std::vector<PluginEntry> filters; // from the source outwards
  FeatureSettings features;         // of the keys "sources[].NAME" that features own
  std::string key;                  // beginning of its keys in `places`: "sources[0]"
};

struct PluginsConfiguration {
  std::vector<std::string> directories; // searched before the built-in ones
  std::optional<std::string> lock;      // list of plugin files that may be loaded; none: any file
};

struct SearchConfiguration {
  std::string plugin = "auto"; // as for a source; "auto": see PluginFiles::find(); or "none"
  Json config = Json::object();
  std::optional<double> minScore; // none: the default of SearchFloor
  RunSettings run;
};

struct AuthConfiguration {
  std::string plugin = "none"; // as for a source, or "none": callers are not identified
  Json config = Json::object();
  RunSettings run;
  std::vector<std::string> headers; // header fields that the plugin receives, too
  HeadersFrom headersFrom = HeadersFrom::Proxies;
  std::optional<std::string> resource; // canonical URI of this server; none: http.public_url
  // The shorthand; after reading, `plugin` and `config` contain it, too.
  std::optional<std::string> oauthClientId, oauthClientSecret, oauthProviderUrl;
};

// The state that the replicas of one service share.
struct StateConfiguration {
  std::string plugin = "memory"; // as for a source, or "memory": each process keeps its own
  Json config = Json::object();
  RunSettings run;
  std::optional<std::string> secret; // the same for all replicas; never none with a plugin
  std::string prefix = "skillhost";  // of every key and channel; a-z A-Z 0-9 . _ -

  // Returns true if there is something to share: one client on stdio has only one process.
  bool isShared(Transport transport) const {
    return plugin != "memory" && transport == Transport::Http;
  }
};

// The skills that a rule selects, and who sees them.
struct VisibilityConfiguration {
  std::vector<std::string> sources, categories; // globs
  std::vector<std::string> scopes;
  std::vector<std::string> principals; // globs
  std::vector<std::string> issuers;
  friend bool operator==(const VisibilityConfiguration &,
                         const VisibilityConfiguration &) = default;
};

struct AccessConfiguration {
  std::optional<std::string> readScope; // none: skills:read; empty: every known caller may read
  std::string manageScope = "skills:manage";
  std::string reviewScope = "skills:review";
  std::vector<VisibilityConfiguration> visibility;
};

struct HttpConfiguration {
  std::vector<std::string> listen{"127.0.0.1"}; // host, host:port, [v6]:port, unix:/path, systemd
  std::size_t port = 8'080;                     // of addresses without a port; 0: a free port
  std::string path = "/mcp";
  std::optional<std::string> publicUrl; // https://skills.example.org/mcp
  std::vector<std::string> allowedHosts, allowedOrigins;
  bool allowAnonymous = false; // also where other machines can connect
  std::optional<std::string> tlsCertificate, tlsKey;
  std::optional<std::string> tlsClientCa;
  std::optional<ClientCertificates> tlsClientCertificates; // with tlsClientCa; none: Required
  std::vector<std::string> trustedProxies;                 // addresses, networks, "unix"
  ForwardedField forwardedField = ForwardedField::Auto;
  bool proxyProtocol = false; // from trusted proxies
  std::size_t maxConnections = 10'240;
  std::size_t maxConnectionsPerPeer = 2'048; // 0: no limit
  std::size_t idleSeconds = 75;
  std::size_t maxSessions = 10'000;
  std::size_t sessionIdleSeconds = 3'600;
  std::size_t sessionMaxAgeSeconds = 86'400;
};

struct RefreshConfiguration {
  std::size_t debounceMs = 50; // between two reads of a source that keeps changing
};

struct Configuration {
  // In order of precedence: if two skills have one name, that of the earlier source wins.
  std::vector<SourceConfiguration> sources;
  // In the order in which their objects are listed: if two have one name, the earlier one is
  // served.
  std::vector<PluginEntry> tools;
  std::vector<PluginEntry> observers;    // plugins that receive the events of the server
  std::vector<PluginEntry> httpHandlers; // plugins that answer HTTP requests beside MCP
  // The folders of the shorthand. Reading makes a source of each, and leaves this empty.
  std::vector<std::string> skillsDirs;
  // None: the usual folders are served only if nothing else says where skills come from. After
  // reading, those that exist are sources.
  std::optional<bool> usualFolders;
  // None: the working directory (never none after reading). Empty: off.
  std::optional<std::string> projectRoot;
  Expose expose = Expose::Gateway;
  Results results = Results::Auto;
  bool operatorTools = false; // the tools of operators are offered to hosts of agents, too
  Paths paths = Paths::Auto;
  bool keepGoing = false;       // without the sources and plugins that are configured wrongly
  bool copyRemoteSkills = true; // on stdio, when they are loaded
  Strictness skillRules = Strictness::Lenient; // the rules that a skill has to follow
  bool strict = false;              // the shorthand for Strictness::Strict, also after reading
  NameRule names = NameRule::First; // decides which skill gets a name that several claim
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
  bool passTraces = true; // true: requests that plugins make for a call carry its trace
  Limits limits;
  Deadlines deadlines;
  CacheRules cache;
  RateRules rateLimit;
  RefreshConfiguration refresh;
  FeatureSettings features; // of the keys that features own
  // Values inside the config objects above that must stay secret; log::redact knows them, too.
  std::vector<std::string> secrets;
  // The place where each key was set: "sources[0].config.url" → "/etc/skillhost.yaml:3:5", or the
  // name of a variable or an option.
  std::map<std::string, std::string> places;
};

} // namespace skillhost::app
