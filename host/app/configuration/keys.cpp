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
        "Folders of skills, each a source of its own named after the folder. They come before "
        "`sources`; those of the command line come first, then the environment's, then the "
        "file's."),
    key<C, &C::sources>(
        "sources", "", any,
        "Where skills come from, in order of precedence: of two skills with one name the earlier "
        "source's wins, the other stays reachable as <source>/<path>."),
    key<C, &C::usualFolders>(
        "usual_folders", "", any,
        "Whether the folders where skills are kept by habit are sources too, after the others: "
        "~/.claude/skills, ./.claude/skills, ~/.agents/skills, ./.agents/skills, ./skills, "
        "whichever is there. Default: only on stdio, when there is no configuration file and "
        "neither sources, skills_dirs nor tools are given."),
    key<C, &C::tools>(
        "tools", "", any,
        "Plugins that bring tools, prompts and resources of their own, served beside the skills. "
        "The host's own names come first, then these in their order: a name that is taken is "
        "withheld with a warning."),
    key<C, &C::observers>(
        "observers", "", any,
        "Plugins that are told what happens in the server (uses of skills, refusals, records of "
        "the audit, lines of the log), and change nothing of it. Nobody waits for them: events "
        "that come faster than one takes them are lost, and counted."),
    key<C, &C::httpHandlers>(
        "http_handlers", "", any,
        "Plugins that answer HTTP requests for paths of their own, beside MCP. A path that another "
        "one or the server itself has is an error of the plugin: none of its paths is then served. "
        "On stdio they are not used."),
    key<C, &C::keepGoing>(
        "keep_going", "--keep-going", any,
        "Serve the rest when a source or plugin is configured wrongly or a folder of skills does "
        "not exist, and log what is left out. false: the start fails and says what to write. What "
        "concerns authorization ends the start in any case."),
    key<C, &C::projectRoot>(
        "project_root", "--project-root", Rule{0, 4'096, Meaning::Path},
        "The folder that relative paths in skills may name files of. Default: the working "
        "directory. \"\" switches it off."),
    key<C, &C::expose>(
        "expose", "--expose", any,
        "Which tools a client sees: gateway is the fixed set that finds and loads skills, skills "
        "makes every skill a tool of its own, both is both. Beyond 100 skills, or 64 KiB of them, "
        "no client bears that: the fixed set stands in for it, and the log says so."),
    key<C, &C::results>(
        "results", "--results", any,
        "In which form the result of a tool is sent: as text, which is for models, as structured "
        "content, which is for programs, or as both. auto: text to the hosts of agents that are "
        "known by name, both to all others."),
    key<C, &C::operatorTools>(
        "operator_tools", "--operator-tools", any,
        "Offer get_loaded_skills_info, reload_skills_directory and get_server_stats to the hosts "
        "of agents that are known by name, too. Other clients are offered them in any case, and "
        "every client can call them."),
    key<C, &C::paths>(
        "paths", "--paths", any,
        "What becomes of relative paths in a skill's text: absolute paths, skill:// URIs, or "
        "nothing. auto: absolute for local files on stdio, else uri."),
    key<C, &C::copyRemoteSkills>(
        "copy_remote_skills", "", any,
        "On stdio a skill that has no folder on this machine, or that trust.rules or a lock decide "
        "on, is copied to the cache folder when it is loaded, so that its scripts can be run. Not "
        "with paths: uri or untouched."),
    key<C, &C::skillRules>(
        "skill_rules", "--skill-rules", any,
        "Which rules a skill has to keep; one that breaks them is left out, with a warning. "
        "lenient: whatever can be read is served, and a warning names each broken rule of the "
        "specification. basic: SKILL.md is UTF-8, its front matter is YAML as it is written, with "
        "a description and a name of letters, digits, - and _, fewer than 100, which no skill "
        "before it has; the tools serve it under that name as it is written. strict: the letter "
        "of the specification."),
    key<C, &C::strict>("strict", "--strict", any, "The same as skill_rules: strict."),
    key<C, &C::names>(
        "names", "--names", any,
        "Who has a name that several skills claim. first: the one that has been served longest, "
        "then that of the earlier source, then the one whose folder has the name; strict: none of "
        "them. The others are reachable as <source>/<path>."),
    key<C, &C::includeSkills>(
        "include_skills", "--include", globs,
        "Serve only skills whose <source>/<path> matches one of these globs. Empty: all."),
    key<C, &C::excludeSkills>(
        "exclude_skills", "--exclude", globs,
        "Leave out skills whose <source>/<path> matches one of these globs, such as "
        "\"team/legacy-*\". Wins over include_skills. The log warns of a glob of either that no "
        "skill matches yet."),
    key<C, &C::defaultTopK>("default_top_k", "--top-k", between(1, 20),
                            "How many skills a search answers with when the caller does not say."),
    key<C, &C::maxSkillContentChars>(
        "max_skill_content_chars", "--max-skill-content-chars", between(1, 1'000'000'000),
        "Cut the text of a skill after this many characters, and say so. Default: never."),
    key<C, &C::instructions>("instructions", "", Rule{1, 100'000},
                             "What a client is told about this server, in place of the built-in "
                             "instructions. At most 100,000 bytes."),
    key<C, &C::pageSize>("page_size", "", between(1, 10'000),
                         "Entries in one answer of a list of tools, resources, prompts or skills; "
                         "the rest follows by cursor."),
    key<C, &C::startupWaitMs>(
        "startup_wait_ms", "", between(0, 600'000),
        "How long the first requests wait for the first catalogue, in milliseconds. Afterwards "
        "they are answered with what is there."),
    key<C, &C::transport>("transport", "--transport", any,
                          "stdio serves the one client that has started the program, http all who "
                          "can reach it."),
    key<C, &C::http, &H::listen>(
        "http.listen", "--listen", Rule{1, 1'000},
        "Addresses to listen on: HOST, HOST:PORT, [V6]:PORT, unix:PATH, or systemd for the sockets "
        "it has opened."),
    key<C, &C::http, &H::port>("http.port", "--port", between(0, 65'535),
                               "The port of addresses that name none. 0: one that is free; the log "
                               "says which."),
    key<C, &C::http, &H::path>("http.path", "", Rule{1, 200},
                               "The path of the MCP endpoint; begins with a slash."),
    key<C, &C::http, &H::publicUrl>(
        "http.public_url", "--public-url", Rule{1, 1'000, Meaning::Url},
        "The URL of the MCP endpoint as clients know it: what access tokens must be meant for. "
        "Default: made of the first address."),
    key<C, &C::http, &H::allowedHosts>(
        "http.allowed_hosts", "", Rule{1, 255, Meaning::HostName},
        "Names that a Host field may have, without port; that of public_url is always one of them. "
        "Default: localhost, 127.0.0.1 and [::1] when public_url is set or no other machine can "
        "reach the server; else any Host is taken."),
    key<C, &C::http, &H::allowedOrigins>(
        "http.allowed_origins", "", Rule{1, 1'000, Meaning::Asker},
        "Web pages that may ask, such as https://example.org:8443, besides those whose host is an "
        "allowed one, whatever their port. Where any Host is taken: besides those whose host and "
        "port are what the Host field says, as a number or localhost; a name may have been made "
        "to point here. *: any."),
    key<C, &C::http, &H::allowAnonymous>(
        "http.allow_anonymous", "--allow-anonymous", any,
        "Serve without asking who it is even where other machines can reach it. Without it and "
        "without an auth plugin the start is refused there."),
    key<C, &C::http, &H::tlsCertificate>(
        "http.tls_certificate", "--tls-certificate", Rule{1, 4'096, Meaning::Path},
        "A PEM file with the certificate and its chain; read again on SIGHUP. None: no TLS."),
    key<C, &C::http, &H::tlsKey>("http.tls_key", "--tls-key", Rule{1, 4'096, Meaning::Path},
                                 "A PEM file with the certificate's private key."),
    key<C, &C::http, &H::tlsClientCa>(
        "http.tls_client_ca", "", Rule{1, 4'096, Meaning::Path},
        "A PEM file of authorities: TLS clients show a certificate that one of them has signed. "
        "An auth plugin that knows of certificates (skh.caller/1) is told whose it is; read again "
        "on SIGHUP. None: no certificate is asked for."),
    key<C, &C::http, &H::tlsClientCertificates>(
        "http.tls_client_certificates", "", any,
        "required: nobody connects without one. optional: who shows none needs a token. One that "
        "is not good is refused in both cases. Default: required where http.tls_client_ca is set; "
        "without that one this key is refused."),
    key<C, &C::http, &H::trustedProxies>(
        "http.trusted_proxies", "", Rule{1, 64, Meaning::Plain, 1, problemOfProxy},
        "Proxies in front, as addresses or networks (10.0.0.7, 10.0.0.0/8, 2001:db8::/32) or unix "
        "for all unix sockets: what they say of a client's address is taken, for the log, the "
        "audit and all limits per client. Nobody else is believed."),
    key<C, &C::http, &H::forwardedField>(
        "http.forwarded_field", "", any,
        "Which field of a trusted proxy says so: X-Forwarded-For, or Forwarded (RFC 7239). auto: "
        "whichever there is; a request in which both name different clients is refused, for a "
        "proxy that writes one passes the other on as the client sent it."),
    key<C, &C::http, &H::proxyProtocol>(
        "http.proxy_protocol", "", any,
        "Every connection of a trusted proxy begins with the PROXY protocol, version 1 or 2, and "
        "is refused without it; those of others are served as they are."),
    key<C, &C::http, &H::maxConnections>(
        "http.max_connections", "", between(1, 1'000'000),
        "Most connections at once. One more takes the place of the one that has waited longest for "
        "a request, of a client that has shown no accepted credential on it; where there is none, "
        "it is answered with 503."),
    key<C, &C::http, &H::maxConnectionsPerPeer>(
        "http.max_connections_per_peer", "", between(0, 1'000'000),
        "The same for one IP address (IPv6: /64), so that no client takes all of them; of a client "
        "behind trusted proxies also its requests at once. A proxy that is not among "
        "http.trusted_proxies counts as one client. 0: no limit."),
    key<C, &C::http, &H::idleSeconds>("http.idle_s", "", between(1, 86'400),
                                      "How long a connection is kept between two requests, in "
                                      "seconds."),
    key<C, &C::http, &H::maxSessions>(
        "http.max_sessions", "", between(1, 1'000'000),
        "Most sessions in memory at once of clients that open with initialize. The longest unused "
        "one is dropped for a new one, and made again from its id when its client comes back."),
    key<C, &C::http, &H::sessionIdleSeconds>(
        "http.session_idle_s", "", between(1, 31'536'000),
        "How long such a session is kept in memory while nobody uses it, in seconds."),
    key<C, &C::http, &H::sessionMaxAgeSeconds>(
        "http.session_max_age_s", "", between(1, 31'536'000),
        "How long after its beginning such a session is over, in seconds: its client has to "
        "initialize again."),
    key<C, &C::plugins, &PluginsConfiguration::directories>(
        "plugins.directories", "--plugins-dir", folders,
        "Folders to look for plugins in, before the built-in ones."),
    key<C, &C::plugins, &PluginsConfiguration::lock>(
        "plugins.lock", "--plugins-lock", Rule{1, 4'096, Meaning::Path},
        "A list of BLAKE3 digests, as `skillhost plugins --write-lock FILE` writes it: a plugin "
        "file that is not listed, or has changed, is not loaded. Default: none."),
    key<C, &C::search, &SearchConfiguration::plugin>(
        "search.plugin", "--search", plugins,
        "The search plugin: a short name, a full id or the path of a .so; none switches search "
        "off."),
    key<C, &C::search, &SearchConfiguration::config>(
        "search.config", "", any,
        "Settings of the search plugin. References as in a source's config."),
    key<C, &C::search, &SearchConfiguration::minScore>(
        "search.min_score", "--min-score", between(0, 1),
        "The score that a skill must have to be found; when all are below, a search answers that "
        "no skill fits. Default: 0.35 for plugins whose scores mean the same over queries "
        "(keyword, hybrid) where there are 100 skills or more, else no limit; a model "
        "is told of hits below 0.45, or below your own score, that no skill fits well."),
    key<C, &C::auth, &A::plugin>(
        "auth.plugin", "--auth", plugins,
        "The auth plugin that is asked who a caller is: a short name, a full id or the path of a "
        ".so. Every request then needs a token. none: nobody is asked."),
    key<C, &C::auth, &A::config>("auth.config", "", any,
                                 "Settings of the auth plugin. References as in a source's "
                                 "config."),
    key<C, &C::auth, &A::headers>(
        "auth.headers", "", Rule{1, 100, Meaning::HeaderName},
        "Header fields whose values the auth plugin is told besides the token, or in its place, "
        "such as X-Remote-User; it has to know of them (skh.caller/1). Never logged."),
    key<C, &C::auth, &A::headersFrom>(
        "auth.headers_from", "", any,
        "Whose fields these may be. proxies: of requests that a trusted proxy has sent "
        "(http.trusted_proxies); it has to remove what the client says in them. anyone: the plugin "
        "verifies what they say."),
    key<C, &C::auth, &A::resource>(
        "auth.resource", "", Rule{1, 2'000},
        "The canonical URI of this server, which tokens must be meant for (RFC 8707). Default: "
        "http.public_url."),
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
        "The scope that everything needs which reads. Default: skills:read. \"\": whoever the "
        "auth plugin knows may read."),
    key<C, &C::access, &X::manageScope>(
        "access.manage_scope", "", Rule{0, 256},
        "The scope that reload_skills_directory, get_server_stats and the resources skillhost://… "
        "need; it includes the other one. \"\": whoever may read may do so."),
    key<C, &C::access, &X::reviewScope>(
        "access.review_scope", "", Rule{1, 256},
        "The scope that review_skill needs, by which skills are approved and rejected; it includes "
        "read_scope. Where nobody is asked who it is there is no such tool."),
    key<C, &C::access, &X::visibility>(
        "access.visibility", "", any,
        "Who sees which skills, and which tools, prompts and resources of plugins. What some rule "
        "names is seen by those alone who satisfy one of the rules that name it; all else is seen "
        "by everybody."),
    key<C, &C::state, &Z::plugin>(
        "state.plugin", "", plugins,
        "The state plugin, by which the replicas of one service share sessions of the older "
        "protocol, rate limits, introspected and revoked tokens, what reviewers have decided, and "
        "the notice that a source has changed: a short name such as valkey, a full id or the path "
        "of a .so. memory: nothing is "
        "shared, each process keeps its own. On stdio, where one process has one client, it is "
        "left alone, with a warning. Holds after a restart only."),
    key<C, &C::state, &Z::config>(
        "state.config", "", any,
        "Settings of the state plugin, such as the engine's address. References as in a source's "
        "config. What is wrong with them ends the start; an engine that cannot be reached does "
        "not: /readyz says degraded, and this replica goes on with what it knows."),
    key<C, &C::state, &Z::secret>(
        "state.secret", "", Rule{32, 1'000, Meaning::Secret},
        "A secret of at least 32 bytes, the same for all replicas: required when state.plugin "
        "names one. The ids of sessions are sealed with it, so that sessions outlive a restart, "
        "also without an engine; without a secret they end with the process. Owners and tokens are "
        "known in the engine by hashes that need it, and what was not written with it is taken for "
        "absent. Better env:NAME or ${file:PATH} than the secret itself; `openssl rand -hex 32` "
        "makes one. Never shown."),
    key<C, &C::state, &Z::prefix>(
        "state.prefix", "", Rule{1, 64, Meaning::Prefix},
        "What every key and channel begins with, before a colon; a-z A-Z 0-9 . _ -. Another one "
        "for each service that shares an engine or a secret."),
    key<C, &C::log, &LogConfiguration::level>("log.level", "--log-level", any,
                                              "The quietest lines that are still logged."),
    key<C, &C::log, &LogConfiguration::format>("log.format", "--log-format", any,
                                               "Lines for people, or one JSON object a line."),
    key<C, &C::passTraces>(
        "telemetry.propagate", "", any,
        "Requests that plugins make for a call, such as those of a token's introspection or of a "
        "reload, say by traceparent and tracestate which trace the call belongs to, also without "
        "otlp_endpoint. Random numbers, sent to the hosts that the configuration names, and to "
        "those that a provider of tokens names for its keys and for introspection. Holds after a "
        "restart only."),
    key<C, &C::limits, &L::requestBytes>("limits.max_request_bytes", "",
                                         between(1'024, 1'073'741'824),
                                         "Largest request, in bytes."),
    key<C, &C::limits, &L::arrayItems>("limits.max_array_items", "", between(1, 1'000'000),
                                       "Most items in one array of a request."),
    key<C, &C::limits, &L::toolArrayItems>(
        "limits.tool_array_limits", "", between(1, 1'000'000),
        "Most items in one array for single tools, by name, over max_array_items. A name that no "
        "tool has ends the start, where neither skills nor plugins are tools."),
    key<C, &C::limits, &L::stringCharacters>("limits.max_string_length", "",
                                             between(1, 1'073'741'824),
                                             "Longest text in a request, in characters."),
    key<C, &C::limits, &L::depth>("limits.max_depth", "", between(1, 64),
                                  "Arrays and objects of a request inside one another."),
    key<C, &C::limits, &L::responseBytes>(
        "limits.max_response_bytes", "", between(1'024, 1'073'741'824),
        "Largest result of a tool, in bytes; what is longer is cut, and marked so."),
    key<C, &C::limits, &L::listItems>("limits.max_list_items", "", between(1, 1'000'000),
                                      "Most items in a list of a tool's result, whatever "
                                      "the caller asks for."),
    key<C, &C::limits, &L::memoryBytes>(
        "limits.max_memory_mb", "", between(0, 1'048'576, megabyte),
        "Resident memory of the process, in MiB: near it (97 %) calls of tools but "
        "get_server_stats are refused with MEMORY_PRESSURE, from 90 % on the log warns. 0: no "
        "limit."),
    key<C, &C::deadlines, &D::query>(
        "deadlines.query_ms", "", between(1, 86'400'000),
        "How long a tool that looks something up may take, in milliseconds; every request that is "
        "no call of a tool, too."),
    key<C, &C::deadlines, &D::mutation>(
        "deadlines.mutation_ms", "", between(1, 86'400'000),
        "The same for a tool that changes what the server or a session remembers."),
    key<C, &C::deadlines, &D::scan>("deadlines.scan_ms", "", between(1, 86'400'000),
                                    "The same for a tool that looks at every source, and for "
                                    "each refresh of a source and each call of the search in "
                                    "the background."),
    key<C, &C::deadlines, &D::execution>("deadlines.execution_ms", "", between(1, 86'400'000),
                                         "The same for long work."),
    key<C, &C::deadlines, &D::tools>(
        "deadlines.tools", "", between(1, 86'400'000),
        "Milliseconds for single tools, by name, over those of their category. A name that no tool "
        "has ends the start, where neither skills nor plugins are tools."),
    key<C, &C::cache, &CacheRules::bytes>(
        "cache.max_size_mb", "", between(1, 1'048'576, megabyte),
        "Most that the cache of rendered skills and documents holds, in MiB."),
    key<C, &C::cache, &CacheRules::entries>("cache.max_entries", "", between(0, 10'000'000),
                                            "Most entries of the cache. 0: no cache."),
    key<C, &C::cache, &CacheRules::ttl>(
        "cache.ttl_s", "", between(0, 31'536'000, 1'000),
        "How long an entry is used, in seconds. 0: until it is evicted."),
    key<C, &C::cache, &CacheRules::policy>(
        "cache.policy", "", any,
        "What goes first when the cache is full: the least recently used, the least frequently "
        "used, or the oldest entry."),
    key<C, &C::cache, &CacheRules::highWaterPercent>(
        "cache.high_water_percent", "", between(50, 100),
        "Filled beyond this part of max_size_mb, the cache evicts down to low_water_percent."),
    key<C, &C::cache, &CacheRules::lowWaterPercent>(
        "cache.low_water_percent", "", between(10, 90),
        "Where evicting ends; above high_water_percent it counts as that."),
    key<C, &C::rateLimit, &RateRules::perSecond>(
        "rate_limit.requests_per_second", "", between(0, 1'000'000),
        "Requests that one client may send in a second, on average; what is more is refused with "
        "RATE_LIMITED and the time to wait. With a state plugin the limit is that of all replicas "
        "together: each tells the others every 200 ms what it let through, so a client that asks "
        "several at once may get as much more as each of them lets through in that time; while "
        "the engine is away each replica has the limit of its own. 0: no limit."),
    key<C, &C::rateLimit, &RateRules::burst>(
        "rate_limit.burst", "", between(1, 1'000'000),
        "Requests that it may send at once after it was quiet."),
    key<C, &C::refresh, &RefreshConfiguration::debounceMs>(
        "refresh.debounce_ms", "", between(0, 60'000),
        "A source that changes again and again is read at most once in this many milliseconds; its "
        "first change is read at once."),
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
    "How many credentials the auth plugin is asked about at once, each on a thread: as many "
    "questions as the provider bears. What comes on top waits, one of each address (IPv6: /64) "
    "in turn. A plugin that says it is serial has one. 0: 8 for a plugin that asks over the "
    "network, of which no address has all; else as many as the machine has processors, at "
    "least 2 and at most 4.");
constexpr std::array stateRun =
    runRows<C, &C::state, &Z::run>({"state.isolation", "state.allow_read", "state.memory_mb",
                                    "state.cache_mb", "state.network", "state.threads"},
                                   isolation);

constexpr std::array groups{
    Section{"http", "Serving many clients over HTTP (transport: http)."},
    Section{"plugins", "Plugins in general."},
    Section{"search", "How skills are searched."},
    Section{"auth", "Who is asking."},
    Section{"access", "What they may do and see."},
    Section{"state", "What the replicas of one service share (transport: http)."},
    Section{"log", "The log on standard error."},
    Section{"telemetry",
            "What an OpenTelemetry collector is told, and what of traces is handed on."},
    Section{"limits", "What a request and a result may hold. A violation names path, limit and "
                      "actual size."},
    Section{"deadlines",
            "How long a call may take. At the deadline the client is told TOOL_TIMEOUT, "
            "whatever a plugin does."},
    Section{"cache", "What is kept so that it need not be read and rendered again."},
    Section{"rate_limit", "How often one client may ask."},
    Section{"refresh", "How changes of the sources are picked up."},
};

} // namespace

std::span<const HostKey> hostKeys() {
  static const std::vector<HostKey> all = [] {
    std::vector<HostKey> own(host.begin(), host.end());
    insertBehind<C>(own, "search.min_score", searchRun);
    insertBehind<C>(own, "auth.config", authRun);
    insertBehind<C>(own, "state.prefix", stateRun);
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
           "which costs one small request while nothing has changed. Take this out; with "
           "webhook_secret a hook at one replica has all of them look at once";
  return {};
}

std::string variableName(std::string_view name) {
  // The option --skills-dir has this name, too.
  if (name == "skills_dirs") return "SKILLHOST_SKILLS_DIR";
  return variableFor(name);
}

} // namespace skillhost::app
