// SPDX-License-Identifier: Apache-2.0
#include "configuration/keys.hpp"

#include "configuration/key_rows.hpp"
#include "net/trusted_proxies.hpp"
#include "settings/declared_keys.hpp"

#include <array>

namespace skillhost::app {
namespace {

using C = Configuration;
using L = Limits;
using D = Deadlines;
using A = AuthConfiguration;
using X = AccessConfiguration;
using H = HttpConfiguration;
using Z = StateConfiguration;
using namespace rows;

// Returns the problem of a text that is no address, no network and not "unix"; empty if it is one.
std::string problemOfProxy(const std::string &text) {
  const auto proxies = TrustedProxies::of({text});
  return proxies ? std::string() : proxies.failure().message;
}

constexpr std::array host{
    key<C, &C::skillsDirs>(
        "skills_dirs", "--skills-dir", folders,
        "Folders of skills. Each folder is a source, named after the folder. They take precedence "
        "over `sources`: first the folders from the command line, then those from the environment, "
        "then those from the file."),
    key<C, &C::sources>(
        "sources", "", any,
        "Where skills come from, in order of precedence: if two skills have the same name, the one "
        "from the earlier source gets it; the other stays reachable as <source>/<path>."),
    key<C, &C::usualFolders>(
        "usual_folders", "", any,
        "Also serve the usual folders of skills, if they exist, after all other sources: "
        "~/.claude/skills, ./.claude/skills, ~/.agents/skills, ./.agents/skills, ./skills. "
        "Default: only on stdio, when there is no configuration file and neither sources, "
        "skills_dirs nor tools are given."),
    key<C, &C::tools>("tools", "", any,
                      "Plugins that offer their own tools, prompts and resources beside the "
                      "skills. The server's own names take precedence, then those of the plugins "
                      "in this order; a name that is taken already is left out with a warning."),
    key<C, &C::observers>(
        "observers", "", any,
        "Plugins that receive events of the server (uses of skills, refusals, audit records, log "
        "lines) and cannot change what it does. The server does not wait for them: it drops and "
        "counts events that come faster than a plugin takes them."),
    key<C, &C::httpHandlers>(
        "http_handlers", "", any,
        "Plugins that answer HTTP requests for paths of their own, beside MCP. If a plugin claims "
        "a "
        "path that the server or another plugin has, the server serves none of its paths and logs "
        "an error. On stdio they are not used."),
    key<C, &C::keepGoing>(
        "keep_going", "--keep-going", any,
        "If a source or plugin is configured wrongly, or a folder of skills does not exist, serve "
        "the rest and log what is left out. false: the server does not start, and says what to "
        "write. An error that concerns authorization always prevents the start."),
    key<C, &C::projectRoot>("project_root", "--project-root", Rule{0, 4'096, Meaning::Path},
                            "A folder whose files skills may also name by relative paths. Default: "
                            "the working directory. \"\" switches it off."),
    key<C, &C::expose>(
        "expose", "--expose", any,
        "Which tools a client sees. gateway: the fixed set that finds and loads skills. skills: "
        "one tool for each skill. both: both. With more than 100 such tools, or 64 KiB of them, "
        "clients get only the fixed set, and the log says so."),
    key<C, &C::results>(
        "results", "--results", any,
        "The form of tool results: text (for models), structured content (for programs), or both. "
        "auto: text for agent clients that the server knows by name, both for all others."),
    key<C, &C::operatorTools>(
        "operator_tools", "--operator-tools", any,
        "Also list get_loaded_skills_info, reload_skills_directory and get_server_stats for agent "
        "clients that the server knows by name. All other clients always get them in the list, and "
        "every client can call them."),
    key<C, &C::paths>(
        "paths", "--paths", any,
        "How the server rewrites relative paths in a skill's text: to absolute paths, to skill:// "
        "URIs, or not at all. auto: absolute for local files on stdio, else uri."),
    key<C, &C::copyRemoteSkills>(
        "copy_remote_skills", "", any,
        "On stdio the server copies a skill to the cache folder when it loads it, so that its "
        "scripts can be run: a skill that has no folder on this machine, or that a filter of its "
        "source decides about. Not with paths: uri or untouched."),
    key<C, &C::skillRules>(
        "skill_rules", "--skill-rules", any,
        "The rules that a skill must follow; the server leaves out a skill that breaks them, with "
        "a warning. lenient: every skill that can be read is served, and a warning names each "
        "broken rule of the specification. basic: SKILL.md is UTF-8, and its front matter is valid "
        "YAML with a description and a name; the name has fewer than 100 letters, digits, - and _, "
        "no earlier skill has it, and the tools serve the skill under exactly this name. strict: "
        "every rule of the specification."),
    key<C, &C::strict>("strict", "--strict", any, "The same as skill_rules: strict."),
    key<C, &C::names>(
        "names", "--names", any,
        "Which skill gets a name that several skills claim. first: the one that came earlier "
        "(what a source has when it is first read counts as equally early), then the one from the "
        "earlier source, then the one whose folder has the name. strict: none of them. The others "
        "are reachable as <source>/<path>."),
    key<C, &C::includeSkills>(
        "include_skills", "--include", globs,
        "Serve only skills whose <source>/<path> matches one of these globs. Empty: all."),
    key<C, &C::excludeSkills>("exclude_skills", "--exclude", globs,
                              "Leave out skills whose <source>/<path> matches one of these globs, "
                              "such as \"team/legacy-*\". Wins over include_skills. The log warns "
                              "of each glob in either list that no skill matches yet."),
    key<C, &C::defaultTopK>("default_top_k", "--top-k", between(1, 20),
                            "How many skills a search returns if the caller names no number."),
    key<C, &C::maxSkillContentChars>(
        "max_skill_content_chars", "--max-skill-content-chars", between(1, 1'000'000'000),
        "Cut the text of a skill after this many characters, and say so. Default: never."),
    key<C, &C::instructions>("instructions", "", Rule{1, 100'000},
                             "The instructions that clients receive about this server, instead of "
                             "the built-in ones. At most 100,000 bytes."),
    key<C, &C::pageSize>("page_size", "", between(1, 10'000),
                         "Maximum entries in one page of a list of tools, resources, prompts or "
                         "skills; a cursor leads to the next page."),
    key<C, &C::startupWaitMs>(
        "startup_wait_ms", "", between(0, 600'000),
        "How long the first requests wait for the first catalogue, in milliseconds. After that "
        "they get the skills that are loaded so far."),
    key<C, &C::transport>("transport", "--transport", any,
                          "stdio: serve the one client that started the program. http: serve all "
                          "clients that can reach the server."),
    key<C, &C::http, &H::listen>("http.listen", "--listen", Rule{1, 1'000},
                                 "Addresses to listen on: HOST, HOST:PORT, [V6]:PORT, unix:PATH, "
                                 "or systemd for the sockets that systemd opened."),
    key<C, &C::http, &H::port>(
        "http.port", "--port", between(0, 65'535),
        "The port of addresses that name none. 0: a free port, which the log names."),
    key<C, &C::http, &H::path>("http.path", "", Rule{1, 200},
                               "The path of the MCP endpoint; begins with a slash."),
    key<C, &C::http, &H::publicUrl>("http.public_url", "--public-url", Rule{1, 1'000, Meaning::Url},
                                    "The URL of the MCP endpoint as clients know it; access tokens "
                                    "must be issued for it. Default: made from the first address."),
    key<C, &C::http, &H::allowedHosts>(
        "http.allowed_hosts", "", Rule{1, 255, Meaning::HostName},
        "Host names that the Host field of a request may have, without port; the host of "
        "public_url is always allowed. Default: localhost, 127.0.0.1 and [::1] if public_url is "
        "set or no other machine can reach the server; otherwise any Host."),
    key<C, &C::http, &H::allowedOrigins>(
        "http.allowed_origins", "", Rule{1, 1'000, Meaning::Asker},
        "Origins of web pages that may send requests, such as https://example.org:8443, besides "
        "pages on an allowed host with any port. If any Host is allowed: besides pages whose host "
        "and port equal the Host field, if that host is an IP address or localhost, because "
        "anybody can make a name point here. *: any."),
    key<C, &C::http, &H::allowAnonymous>(
        "http.allow_anonymous", "--allow-anonymous", any,
        "Serve without authentication even if other machines can reach the server. Such a server "
        "refuses to start without this key and without an auth plugin."),
    key<C, &C::http, &H::tlsCertificate>(
        "http.tls_certificate", "--tls-certificate", Rule{1, 4'096, Meaning::Path},
        "A PEM file with the certificate and its chain; read again on SIGHUP. None: no TLS."),
    key<C, &C::http, &H::tlsKey>("http.tls_key", "--tls-key", Rule{1, 4'096, Meaning::Path},
                                 "A PEM file with the certificate's private key."),
    key<C, &C::http, &H::tlsClientCa>(
        "http.tls_client_ca", "", Rule{1, 4'096, Meaning::Path},
        "A PEM file of authorities: TLS clients present a certificate that one of them has signed. "
        "An auth plugin that supports certificates (skh.caller/1) receives its subject. The file "
        "is read again on SIGHUP. None: the server asks for no client certificate."),
    key<C, &C::http, &H::tlsClientCertificates>(
        "http.tls_client_certificates", "", any,
        "required: a client without a certificate cannot connect. optional: a client without one "
        "needs a token. A certificate that is not valid is refused in both cases. Default: "
        "required if http.tls_client_ca is set; without http.tls_client_ca this key is an error."),
    key<C, &C::http, &H::trustedProxies>(
        "http.trusted_proxies", "", Rule{1, 64, Meaning::Plain, 1, problemOfProxy},
        "Proxies in front of the server, as addresses or networks (10.0.0.7, 10.0.0.0/8, "
        "2001:db8::/32), or unix for all unix sockets. The server believes the client address that "
        "they send, for the log, the audit and all limits per client, and ignores the one that "
        "anybody else sends."),
    key<C, &C::http, &H::forwardedField>(
        "http.forwarded_field", "", any,
        "The header field in which a trusted proxy sends the client's address: X-Forwarded-For, or "
        "Forwarded (RFC 7239). auto: whichever the request has; a request whose two fields name "
        "different clients is refused, because a proxy that writes one of them passes on the other "
        "as the client sent it."),
    key<C, &C::http, &H::proxyProtocol>(
        "http.proxy_protocol", "", any,
        "Expect the PROXY protocol, version 1 or 2, at the beginning of every connection from a "
        "trusted proxy, and refuse connections without it. Connections from others are served "
        "without it."),
    key<C, &C::http, &H::maxConnections>(
        "http.max_connections", "", between(1, 1'000'000),
        "Maximum connections at once. A further connection replaces the one that has waited "
        "longest for a request among those without an accepted credential; if there is none, the "
        "further connection gets a 503."),
    key<C, &C::http, &H::maxConnectionsPerPeer>(
        "http.max_connections_per_peer", "", between(0, 1'000'000),
        "Maximum connections at once from one IP address (IPv6: /64), so that no client takes all "
        "of them; for a client behind trusted proxies also its maximum requests at once. A proxy "
        "that is not in http.trusted_proxies counts as one client. 0: no limit."),
    key<C, &C::http, &H::idleSeconds>("http.idle_s", "", between(1, 86'400),
                                      "How long a connection is kept between two requests, in "
                                      "seconds."),
    key<C, &C::http, &H::maxSessions>(
        "http.max_sessions", "", between(1, 1'000'000),
        "Maximum sessions in memory at once, for clients that open one with initialize. A new "
        "session replaces the one that has been unused longest, which the server restores from its "
        "id when its client comes back."),
    key<C, &C::http, &H::sessionIdleSeconds>(
        "http.session_idle_s", "", between(1, 31'536'000),
        "How long such a session is kept in memory while nobody uses it, in seconds."),
    key<C, &C::http, &H::sessionMaxAgeSeconds>("http.session_max_age_s", "", between(1, 31'536'000),
                                               "Maximum age of such a session, in seconds; after "
                                               "that its client has to initialize again."),
    key<C, &C::plugins, &PluginsConfiguration::directories>(
        "plugins.directories", "--plugins-dir", folders,
        "Folders in which the server looks for plugins, before the built-in folders."),
    key<C, &C::plugins, &PluginsConfiguration::lock>(
        "plugins.lock", "--plugins-lock", Rule{1, 4'096, Meaning::Path},
        "A list of BLAKE3 digests, as `skillhost plugins --write-lock FILE` writes it: a plugin "
        "file that is not listed, or has changed, is not loaded. Default: none."),
    key<C, &C::search, &SearchConfiguration::plugin>(
        "search.plugin", "--search", plugins,
        "The search plugin: a short name, a full id or the path of a .so. auto: the best of those "
        "that come with skillhost; it also searches by meaning if a model is installed. none "
        "switches search off."),
    key<C, &C::search, &SearchConfiguration::config>(
        "search.config", "", any,
        "Settings of the search plugin. References as in a source's config."),
    key<C, &C::search, &SearchConfiguration::minScore>(
        "search.min_score", "--min-score", between(0, 1),
        "Minimum score of a skill in a search; if all skills score less, the search answers that "
        "no skill fits. Default: 0.35 for plugins whose scores are comparable between queries "
        "if there are 100 skills or more, otherwise no limit. Without a score of your own, the "
        "best three skills are found even if all score less, unless they score below 0.05. If all "
        "hits score below 0.45, or below your own score, the answer tells the model that no skill "
        "fits well."),
    key<C, &C::auth, &A::plugin>(
        "auth.plugin", "--auth", plugins,
        "The auth plugin that identifies callers: a short name, a full id or the path of a .so. "
        "With it, every request needs a token. none: no authentication."),
    key<C, &C::auth, &A::config>("auth.config", "", any,
                                 "Settings of the auth plugin. References as in a source's "
                                 "config."),
    key<C, &C::auth, &A::headers>(
        "auth.headers", "", Rule{1, 100, Meaning::HeaderName},
        "Header fields that the auth plugin receives besides the token, or instead of it, such as "
        "X-Remote-User; the plugin must support them (skh.caller/1). Never logged."),
    key<C, &C::auth, &A::headersFrom>(
        "auth.headers_from", "", any,
        "Who may send these fields. proxies: only a trusted proxy (http.trusted_proxies), which "
        "must remove the fields that the client sent. anyone: every client; the plugin must verify "
        "them."),
    key<C, &C::auth, &A::resource>("auth.resource", "", Rule{1, 2'000},
                                   "The canonical URI of this server; tokens must be issued for it "
                                   "(RFC 8707). Default: http.public_url."),
    key<C, &C::auth, &A::oauthClientId>(
        "auth.oauth_client_id", "--oauth-client-id", Rule{1, 1'000, Meaning::Reference},
        "Short for auth.plugin oauth with this client_id, if auth.plugin is none. Also "
        "MCP_OAUTH_CLIENT_ID. No scope is needed to read then, unless access.read_scope names "
        "one."),
    key<C, &C::auth, &A::oauthClientSecret>(
        "auth.oauth_client_secret", "--oauth-client-secret", Rule{1, 10'000, Meaning::Secret},
        "Its client_secret; better env:NAME, ${file:PATH} or MCP_OAUTH_CLIENT_SECRET than the "
        "text itself. Never shown."),
    key<C, &C::auth, &A::oauthProviderUrl>(
        "auth.oauth_provider_url", "--oauth-provider-url", Rule{1, 2'000},
        "Its issuer. Default: Google's tokeninfo endpoint is asked."),
    key<C, &C::access, &X::readScope>(
        "access.read_scope", "", Rule{0, 256},
        "The scope that every reading request needs. Default: skills:read. \"\": everybody whom "
        "the auth plugin accepts may read."),
    key<C, &C::access, &X::manageScope>(
        "access.manage_scope", "", Rule{0, 256},
        "The scope that reload_skills_directory, get_server_stats and the resources skillhost://… "
        "need; it includes access.read_scope. \"\": everybody who may read may use them."),
    key<C, &C::access, &X::reviewScope>(
        "access.review_scope", "", Rule{1, 256},
        "The scope that tools for reviewers of skills need; it includes read_scope. Without an "
        "auth plugin there are no such tools."),
    key<C, &C::access, &X::visibility>(
        "access.visibility", "", any,
        "Rules that say who sees which skills, and which tools, prompts and resources of plugins. "
        "If rules name something, only callers who satisfy one of these rules see it. Everybody "
        "sees everything else."),
    key<C, &C::state, &Z::secret>(
        "state.secret", "", Rule{32, 1'000, Meaning::Secret},
        "A secret of at least 32 bytes, the same for all replicas: required when state.plugin "
        "names one. The ids of sessions are sealed with it, so that sessions outlive a restart, "
        "also without an engine (but then also those that a client has ended); without a secret "
        "they end with the process. Owners and tokens are known in the engine by hashes that need "
        "it, and what was not written with it is taken for absent. Better env:NAME or "
        "${file:PATH} than the secret itself; `openssl rand -hex 32` makes one. Never shown."),
    key<C, &C::state, &Z::prefix>(
        "state.prefix", "", Rule{1, 64, Meaning::Prefix},
        "What every key and channel begins with, before a colon; a-z A-Z 0-9 . _ -. Another one "
        "for each service that shares an engine or a secret."),
    key<C, &C::log, &LogConfiguration::level>("log.level", "--log-level", any,
                                              "The lowest level of lines that are logged."),
    key<C, &C::log, &LogConfiguration::format>("log.format", "--log-format", any,
                                               "Lines for people, or one JSON object a line."),
    key<C, &C::passTraces>(
        "telemetry.propagate", "", any,
        "Requests that plugins make for a call, such as those of a token's introspection or of a "
        "reload, say by traceparent and tracestate which trace the call belongs to, also where "
        "no collector is told of calls. Random numbers, sent to the hosts that the configuration "
        "names, and to "
        "those that a provider of tokens names for its keys and for introspection. Holds after a "
        "restart only."),
    key<C, &C::limits, &L::requestBytes>("limits.max_request_bytes", "",
                                         between(1'024, 1'073'741'824),
                                         "Largest request, in bytes."),
    key<C, &C::limits, &L::arrayItems>("limits.max_array_items", "", between(1, 1'000'000),
                                       "Maximum items in one array of a request."),
    key<C, &C::limits, &L::toolArrayItems>(
        "limits.tool_array_limits", "", between(1, 1'000'000),
        "Maximum items in one array for single tools, by name; overrides max_array_items. If "
        "neither skills nor plugins are tools, a name that no tool has is an error at the start."),
    key<C, &C::limits, &L::stringCharacters>("limits.max_string_length", "",
                                             between(1, 1'073'741'824),
                                             "Longest text in a request, in characters."),
    key<C, &C::limits, &L::depth>(
        "limits.max_depth", "", between(1, 64),
        "Maximum depth of arrays and objects inside one another in a request."),
    key<C, &C::limits, &L::responseBytes>(
        "limits.max_response_bytes", "", between(1'024, 1'073'741'824),
        "Largest result of a tool, in bytes; what is longer is cut, and marked so."),
    key<C, &C::limits, &L::listItems>(
        "limits.max_list_items", "", between(1, 1'000'000),
        "Maximum items in a list of a tool's result, even if the caller asks for more."),
    key<C, &C::limits, &L::memoryBytes>(
        "limits.max_memory_mb", "", between(0, 1'048'576, megabyte),
        "Limit of the process's resident memory, in MiB. At 90 % of it the log warns; at 97 % "
        "calls of all tools but get_server_stats are refused with MEMORY_PRESSURE. 0: no limit."),
    key<C, &C::deadlines, &D::query>(
        "deadlines.query_ms", "", between(1, 86'400'000),
        "Maximum time, in milliseconds, for a tool that looks something up, and for every request "
        "that is not a tool call."),
    key<C, &C::deadlines, &D::mutation>(
        "deadlines.mutation_ms", "", between(1, 86'400'000),
        "The same for a tool that changes what the server or a session remembers."),
    key<C, &C::deadlines, &D::scan>(
        "deadlines.scan_ms", "", between(1, 86'400'000),
        "The same for a tool that reads every source, for each refresh of a source, and for each "
        "call of the search plugin in the background."),
    key<C, &C::deadlines, &D::execution>("deadlines.execution_ms", "", between(1, 86'400'000),
                                         "The same for a tool that runs for long."),
    key<C, &C::deadlines, &D::tools>(
        "deadlines.tools", "", between(1, 86'400'000),
        "Maximum time for single tools, by name, in milliseconds; overrides that of their "
        "category. If neither skills nor plugins are tools, a name that no tool has is an error at "
        "the start."),
    key<C, &C::cache, &CacheRules::bytes>(
        "cache.max_size_mb", "", between(1, 1'048'576, megabyte),
        "Maximum size of the cache of rendered skills and documents, in MiB."),
    key<C, &C::cache, &CacheRules::entries>("cache.max_entries", "", between(0, 10'000'000),
                                            "Maximum entries of the cache. 0: no cache."),
    key<C, &C::cache, &CacheRules::ttl>(
        "cache.ttl_s", "", between(0, 31'536'000, 1'000),
        "How long an entry is used, in seconds. 0: until it is evicted."),
    key<C, &C::cache, &CacheRules::policy>(
        "cache.policy", "", any,
        "Which entry is evicted first when the cache is full: the least recently used, the least "
        "frequently used, or the oldest entry."),
    key<C, &C::cache, &CacheRules::highWaterPercent>(
        "cache.high_water_percent", "", between(50, 100),
        "When the cache is fuller than this percentage of max_size_mb, it evicts entries down to "
        "low_water_percent."),
    key<C, &C::cache, &CacheRules::lowWaterPercent>(
        "cache.low_water_percent", "", between(10, 90),
        "The percentage at which evicting ends; a value above high_water_percent counts as "
        "high_water_percent."),
    key<C, &C::rateLimit, &RateRules::perSecond>(
        "rate_limit.requests_per_second", "", between(0, 1'000'000),
        "Average number of requests that one client may send in a second; further requests are "
        "refused with RATE_LIMITED and the time to wait. With a state plugin the limit holds for "
        "all replicas together: they exchange their counts every 200 ms, so a client that uses "
        "several at once may exceed the limit for that time. While the engine cannot be reached, "
        "each replica applies the limit alone. It does not apply to the published index, git and "
        "/metrics. 0: no limit."),
    key<C, &C::rateLimit, &RateRules::burst>(
        "rate_limit.burst", "", between(1, 1'000'000),
        "Requests that a client may send at once after a pause."),
    key<C, &C::refresh, &RefreshConfiguration::debounceMs>(
        "refresh.debounce_ms", "", between(0, 60'000),
        "A source that keeps changing is read at most once in this many milliseconds; its first "
        "change is read at once."),
};

// Rows for how the plugins of search, authorization and shared state run. hostKeys() inserts each
// group behind another key of its section.
constexpr std::array searchRun = runRows<C, &C::search, &SearchConfiguration::run>(
    {"search.isolation", "search.allow_read", "search.memory_mb", "search.cache_mb",
     "search.network", "search.threads"},
    isolation);
constexpr std::array authRun = runRows<C, &C::auth, &A::run>(
    {"auth.isolation", "auth.allow_read", "auth.memory_mb", "auth.cache_mb", "auth.network",
     "auth.threads"},
    isolation,
    "How many credentials the auth plugin checks at once, each on its own thread; choose as many "
    "as the provider can answer. Further credentials wait, and addresses (IPv6: /64) take turns. A "
    "plugin that declares itself serial gets one thread. 0: 8 for a plugin that asks over the "
    "network, of which no address gets all; otherwise one for each processor, at least 2 and at "
    "most 4.");
constexpr std::array statePlugin{key<C, &C::state, &Z::plugin>("state.plugin", "", plugins, {}),
                                 key<C, &C::state, &Z::config>("state.config", "", any, {})};
constexpr std::array stateRun =
    runRows<C, &C::state, &Z::run>({"state.isolation", "state.allow_read", "state.memory_mb",
                                    "state.cache_mb", "state.network", "state.threads"},
                                   isolation);

// Returns the rows for a build with a feature that declares them.
std::vector<HostKey> ofFeature(std::span<const HostKey> rows) {
  std::vector<HostKey> all(rows.begin(), rows.end());
  for (HostKey &one : all) one.needsFeature = true;
  return all;
}

constexpr std::array groups{
    Section{"http", "Serving many clients over HTTP (transport: http)."},
    Section{"plugins", "Plugins in general."},
    Section{"search", "How skills are searched."},
    Section{"auth", "Who a caller is: authentication."},
    Section{"access", "What a caller may do and see."},
    Section{"state", "What the replicas of one service share (transport: http)."},
    Section{"log", "The log on standard error."},
    Section{"telemetry", "Traces of calls, for OpenTelemetry."},
    Section{
        "limits",
        "Limits of requests and results. An error names the path, the limit and the actual size."},
    Section{"deadlines", "How long a call may take. At the deadline the client gets TOOL_TIMEOUT, "
                         "even if a plugin still works."},
    Section{"cache", "The cache of skills and documents that are rendered already."},
    Section{"rate_limit", "How many requests one client may send."},
    Section{"refresh", "How the server picks up changes of sources."},
};

} // namespace

std::span<const HostKey> hostKeys() {
  static const std::vector<HostKey> all = [] {
    std::vector<HostKey> own(host.begin(), host.end());
    insertBehind<C>(own, "search.min_score", searchRun);
    insertBehind<C>(own, "auth.config", authRun);
    insertBehind<C>(own, "access.visibility", ofFeature(statePlugin));
    insertBehind<C>(own, "state.prefix", ofFeature(stateRun));
    return withDeclared<C>(own);
  }();
  return all;
}

std::span<const Section> sections() {
  static const std::vector<Section> all = withDeclared(groups);
  return all;
}

const HostKey *findKey(std::string_view name) {
  for (const HostKey &row : hostKeys())
    if (row.name == name) return &row;
  return nullptr;
}

std::string_view removedKey(std::string_view key) {
  if (key.starts_with("sources[") && key.ends_with("].shared"))
    return ": there is no shared folder of replicas any more: each of them asks the source itself, "
           "which costs one small request while nothing has changed. Take this out";
  return {};
}

std::string variableName(std::string_view name) {
  // The option --skills-dir has this name, too.
  if (name == "skills_dirs") return "SKILLHOST_SKILLS_DIR";
  return variableFor(name);
}

} // namespace skillhost::app
