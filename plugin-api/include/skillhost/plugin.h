/* SPDX-License-Identifier: Apache-2.0
 * skillhost/plugin.h - the binary contract between the host and a plugin, version 1.1.
 *
 * Pure C, no dependency but the C library headers below. A plugin is one shared
 * object exporting one data symbol, SKH_ENTRY_SYMBOL. C++ authors include
 * <skillhost/plugin.hpp>, which wraps this file and nothing else.
 *
 * Four rules hold for everything declared here:
 *
 *  1. MEMORY NEVER CHANGES OWNER. Every pointer is borrowed: arguments are valid
 *     until the function returns, static data (entry, plugin, ops) until exit.
 *     Results are not returned but handed to a sink, which copies what it keeps.
 *  2. NOTHING UNWINDS. No exception, longjmp or pthread_exit crosses a call.
 *     In C++ the function types are noexcept, so the compiler checks it.
 *  3. STRUCTS ONLY GROW. Each begins with `size`, set by its producer to its own
 *     sizeof. A reader tests SKH_HAS() before any field newer than minor 0.
 *     Fields are never removed, reordered or retyped within a major.
 *  4. STRINGS ARE UTF-8 WITH A LENGTH and need no terminator, except for the
 *     few `const char *` in static data, which are literals. `data` may be NULL only
 *     when `size` is 0.
 *
 * Threads: [control] calls on one instance never overlap one another and never
 * overlap [worker] calls. [worker] calls come from any thread of the host's pool
 * and may overlap, unless the plugin sets SKH_SERIAL. [any] may be called from
 * every thread, including the plugin's own, which must end before destroy() does.
 *
 * The host never unloads a plugin, and may run it in a process of its own. A plugin
 * receives information from the host only through the structs below.
 */
#ifndef SKILLHOST_PLUGIN_H
#define SKILLHOST_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define SKH_ABI_MAJOR 1u      /* part of the entry symbol: a new major is a new symbol */
#define SKH_ABI_MINOR 1u      /* the newest minor this header describes */
#define SKH_MAGIC 0x31484B53u /* "SKH1" read as little endian */
#define SKH_ENTRY_SYMBOL "skh_plugin_entry_v1"

#ifdef __cplusplus
#define SKH_NOEXCEPT noexcept
extern "C" {
#else
#define SKH_NOEXCEPT
#endif
#define SKH_EXPORT __attribute__((visibility("default")))
/* True if the producer of the struct knew the field, so that a reader may use it. */
#define SKH_HAS(obj, field)                                                                        \
  ((obj)->size >= offsetof(__typeof__(*(obj)), field) + sizeof((obj)->field))

/* ---- values ------------------------------------------------------------- */

typedef struct skh_str {
  const char *data;
  size_t size; /* bytes */
} skh_str;

typedef int32_t skh_status; /* unknown negative values count as SKH_FAILED */
enum {
  SKH_OK = 0,
  SKH_FAILED = -1,       /* any failure not named below */
  SKH_CANCELLED = -2,    /* the call was cancelled; sinks may return it as well */
  SKH_DEADLINE = -3,     /* the plugin itself saw the deadline pass */
  SKH_INVALID = -4,      /* bad configuration or argument: retrying cannot help */
  SKH_NOT_FOUND = -5,    /* no such document or id */
  SKH_STALE = -6,        /* the requested revision is gone: list again */
  SKH_DENIED = -7,       /* credential rejected, or upstream forbids it */
  SKH_UNAVAILABLE = -8,  /* upstream is down: the host may retry after a delay */
  SKH_TOO_LARGE = -9,    /* over a limit of the sink or of the plugin */
  SKH_UNSUPPORTED = -10, /* optional operation not implemented */
  SKH_CORRUPT = -11      /* stored data failed its own integrity check */
};

enum { SKH_TRACE = 0, SKH_DEBUG = 1, SKH_INFO = 2, SKH_WARN = 3, SKH_ERROR = 4 };
enum { SKH_COUNTER = 0, SKH_GAUGE = 1, SKH_HISTOGRAM = 2 };

/* ---- what the host lends ------------------------------------------------- */

/* Created for each call into a plugin. Valid until that call returns, even if the
 * host has already answered its own caller and abandoned the call. [any] */
typedef struct skh_call skh_call;
struct skh_call {
  uint32_t size, reserved;
  int64_t deadline_ns; /* CLOCK_MONOTONIC; INT64_MAX means no deadline */
  /* Returns non-zero once the result is no longer wanted. Call it at least every 50 ms
   * of work and before every blocking step; then return SKH_CANCELLED. */
  int32_t (*cancelled)(const skh_call *) SKH_NOEXCEPT;
  /* Reports `done` of `total` steps (0: unknown); `what` is one line for a person. */
  void (*progress)(const skh_call *, uint64_t done, uint64_t total, skh_str what) SKH_NOEXCEPT;
  /* Says why the call is about to return a negative status; the last message counts.
   * Operators see it, cut at 1,000 bytes. Never put a secret in it. */
  void (*fail)(const skh_call *, skh_str message) SKH_NOEXCEPT;
  /* Since minor 1. The trace to which the call belongs: the fields of W3C Trace Context,
   * in the form in which requests made for this call send them, checked and without
   * control characters. `traceparent` has 55 bytes of version 00, or is empty if the call
   * belongs to no trace; `tracestate` is then empty, too. `tracestate` has at most 512
   * bytes and may be empty. Both are valid as long as the call; copies are only for
   * requests made for this call. Send them to the servers that the call needs, just as you
   * would send a credential, but not to the target of a redirect to another host. The client
   * has chosen these numbers, and they do not identify it: never base a decision on them. */
  skh_str traceparent, tracestate;
};

/* Created for each instance. Valid from create() until destroy() has returned. [any] */
typedef struct skh_host skh_host;
struct skh_host {
  uint32_t size, abi_minor; /* abi_minor: the newest minor that this host implements */
  skh_str name;             /* name of the host program, for user agents */
  skh_str version;
  skh_str instance;  /* name of this instance in the configuration */
  skh_str config;    /* JSON object, already validated against config_schema */
  skh_str cache_dir; /* private directory, mode 0700, see SKH_SHARES_CACHE; empty: none granted */
  void (*log)(const skh_host *, int32_t level, skh_str message) SKH_NOEXCEPT;
  /* Counter: the value is added. Gauge: the value is set. Histogram: the value is observed. It may
   * wait for the host if thousands of values of histograms wait to be read. */
  void (*metric)(const skh_host *, int32_t kind, skh_str name, double value) SKH_NOEXCEPT;
  /* Hints that something changed, so that the host calls changes() soon. Cheap and coalesced. */
  void (*changed)(const skh_host *) SKH_NOEXCEPT;
  /* Returns an interface by id, "vendor.thing/1"; NULL if this host does not have it. */
  const void *(*extension)(const skh_host *, const char *id)SKH_NOEXCEPT;
};

/* Receives bytes, in order. If write() returns a negative status, stop and return that status. */
typedef struct skh_bytes skh_bytes;
struct skh_bytes {
  uint32_t size, reserved;
  skh_status (*write)(const skh_bytes *, const void *data, size_t size) SKH_NOEXCEPT;
};

/* ---- kind "skh.source/1": where skills come from ------------------------- */

/* Sources deliver documents. Only the host decides what is a skill. */
typedef struct skh_document {
  uint32_t size, flags; /* SKH_DOC_* */
  skh_str skill;        /* groups documents; stable, e.g. "pdf" or "team/pdf"; relative,
                         * '/' separated, never empty, no "." or ".." segment */
  skh_str path;         /* relative to the skill, '/' separated, no "." or ".." segment */
  skh_str revision;     /* opaque, changes whenever the bytes do: a blob id, a hash */
  uint64_t length;      /* bytes, or UINT64_MAX if unknown without reading */
  skh_str location;     /* where a person finds it: an absolute path on this machine or
                         * an https URL. May be empty; only needed for the entry. */
} skh_document;
enum {
  SKH_DOC_ENTRY = 1u << 0, /* the skill's SKILL.md: exactly one per skill */
  SKH_DOC_EXECUTABLE = 1u << 1,
  SKH_DOC_REMOVED = 1u << 2 /* in changes() only; revision and length unset */
};

typedef struct skh_documents skh_documents;
struct skh_documents {
  uint32_t size, reserved;
  skh_status (*add)(const skh_documents *, const skh_document *) SKH_NOEXCEPT;
  /* Call it once, last, with the revision of the whole snapshot of these documents. */
  skh_status (*done)(const skh_documents *, skh_str snapshot) SKH_NOEXCEPT;
};

typedef struct skh_source {
  uint32_t size, reserved;
  /* Lists every document of the newest snapshot, in any order: at most a million documents, and
   * 256 MiB of names, revisions and locations. With more the whole list fails. [worker] */
  skh_status (*list)(void *self, const skh_call *, const skh_documents *out) SKH_NOEXCEPT;
  /* Writes the bytes of one listed document, in order; `skill`, `path` and `revision` name
   * it. Returns SKH_STALE if that revision is no longer available; never writes other
   * bytes. The sink refuses longer documents with SKH_TOO_LARGE: skillhost reads at most
   * 16 MiB of a SKILL.md and of a document for a model, and 64 MiB of any other. [worker] */
  skh_status (*read)(void *self, const skh_call *, const skh_document *which,
                     const skh_bytes *out) SKH_NOEXCEPT;
  /* Lists the differences between `since` and now; done() names the new snapshot, which
   * is `since` itself if nothing changed. Returns at once. SKH_STALE: list again.
   * NULL if the source cannot list them; the host then lists all and compares. [worker] */
  skh_status (*changes)(void *self, const skh_call *, skh_str since,
                        const skh_documents *out) SKH_NOEXCEPT;
} skh_source;

/* ---- kind "skh.search/1": ranks what the host has registered -------------- */

typedef struct skh_entry_text {
  uint32_t size, reserved;
  skh_str id; /* the host's own id, which hits must repeat */
  skh_str revision;
  skh_str name, description;
  skh_str body; /* UTF-8, from its beginning: a host may cut it, skillhost after 8,192 bytes */
  skh_str attributes; /* JSON object: "source" and "category" are strings, "keywords" is
                       * an array of strings, "title" is the part of `name` after the name
                       * itself and a space; other keys may appear, and each may be missing */
} skh_entry_text;

typedef struct skh_hit {
  uint32_t size, reserved;
  skh_str id;
  double score;    /* finite, larger is better, comparable within one query, and between
                    * queries with SKH_CALIBRATED, below */
  skh_str snippet; /* plain text, may be empty */
} skh_hit;

typedef struct skh_hits skh_hits;
struct skh_hits {
  uint32_t size, reserved;
  skh_status (*add)(const skh_hits *, const skh_hit *) SKH_NOEXCEPT; /* best first */
};

typedef struct skh_search {
  uint32_t size, reserved;
  /* Only one writer at a time. put() replaces an entry of the same id. Changes are
   * invisible to query() until commit(), which makes all of them visible at once. [worker] */
  skh_status (*put)(void *self, const skh_call *, const skh_entry_text *) SKH_NOEXCEPT;
  skh_status (*remove)(void *self, const skh_call *, skh_str id) SKH_NOEXCEPT;
  skh_status (*commit)(void *self, const skh_call *, skh_str generation) SKH_NOEXCEPT;
  /* Writes the generation of the last commit, or nothing if the index is new or was
   * damaged: the host then puts everything again. [worker] */
  skh_status (*generation)(void *self, const skh_call *, const skh_bytes *out) SKH_NOEXCEPT;
  /* Returns at most `limit` hits, one for each id; equal scores in order of id. `filter_json` is
   * empty or a JSON object of attribute name -> array of accepted strings: for every name, an entry
   * must have one of these values. May overlap every other call. [worker] */
  skh_status (*query)(void *self, const skh_call *, skh_str text, skh_str filter_json,
                      uint32_t limit, const skh_hits *out) SKH_NOEXCEPT;
} skh_search;

/* ---- kind "skh.auth/1": who is asking ------------------------------------ */

typedef struct skh_credential {
  uint32_t size, reserved;
  skh_str scheme;   /* lower case: "bearer", "mtls", "none" */
  skh_str value;    /* secret: never logged, copied out or put in a message */
  skh_str resource; /* canonical URI for which the token must be meant (RFC 8707) */
  skh_str peer;     /* "ip:port" or "unix:uid=1000" */
} skh_credential;

/* A principal that exceeds a limit of skillhost is no principal: accept() returns SKH_INVALID, and
 * the answer counts as a refusal. */
typedef struct skh_principal {
  uint32_t size, scope_count; /* at most 1,024 scopes */
  const skh_str *scopes;  /* each a scope-token of RFC 6749, section 3.3, of at most 256 bytes */
  skh_str subject;        /* required, unique within issuer; printable, at most 1,024 bytes */
  skh_str issuer;         /* may be empty; printable, at most 1,024 bytes */
  skh_str claims;         /* JSON object for policy and audit, at most 64 KiB; may be empty */
  int64_t expires_at;     /* Unix seconds; 0: unknown, so the host does not cache it */
  uint32_t cache_seconds; /* how long the host may reuse this answer; 0: not at all */
  uint32_t reserved;
} skh_principal;

typedef struct skh_principals skh_principals;
struct skh_principals {
  uint32_t size, reserved;
  skh_status (*accept)(const skh_principals *, const skh_principal *) SKH_NOEXCEPT;
};

typedef struct skh_auth {
  uint32_t size, reserved;
  /* Called before the first listener opens, and on demand. Checks that keys are loaded, the
   * issuer is reachable and the clock is sane. Unless it returns SKH_OK, the host does not
   * start. [worker] */
  skh_status (*check)(void *self, const skh_call *) SKH_NOEXCEPT;
  /* Returns SKH_OK after exactly one accept(), SKH_DENIED or SKH_UNAVAILABLE. Every other
   * result counts as a refusal, a missed deadline included. [worker] */
  skh_status (*validate)(void *self, const skh_call *, const skh_credential *,
                         const skh_principals *out) SKH_NOEXCEPT;
  /* Writes RFC 9728 protected-resource metadata, a JSON object. [worker] */
  skh_status (*describe)(void *self, const skh_call *, const skh_bytes *out) SKH_NOEXCEPT;
} skh_auth;

/* ---- what the plugin exports --------------------------------------------- */

enum {
  SKH_SERIAL = 1u << 0,  /* [worker] calls on one instance must never overlap */
  SKH_NETWORK = 1u << 1, /* needs sockets; a sandboxing host then grants them */
  /* skh.search: scores are from 0 to 1 and comparable between queries, so that a host may
   * omit hits below a floor of its own; above .5 a hit is more likely to fit than not */
  SKH_CALIBRATED = 1u << 2,
  /* several instances, also of several hosts, may use one cache_dir at once; a host that does not
   * know this gives each one its own */
  SKH_SHARES_CACHE = 1u << 3
};

typedef struct skh_plugin {
  uint32_t size, flags;
  const char *kind;          /* "skh.source/1"; a host skips kinds that it does not know */
  const char *id;            /* reverse DNS, "org.example.gitlab"; never reused */
  const char *version;       /* SemVer of the plugin */
  const char *summary;       /* one line */
  const char *licence;       /* SPDX expression */
  const char *config_schema; /* JSON Schema of the configuration object, or NULL */
  const void *ops;           /* skh_source, skh_search or skh_auth, according to kind */
  /* Creates an instance and stores it in *self. `host` stays valid until destroy(). [control] */
  skh_status (*create)(const skh_host *, const skh_call *, void **self) SKH_NOEXCEPT;
  void (*destroy)(void *self) SKH_NOEXCEPT; /* [control]; must join all threads of the instance */
  const void *(*extension)(void *self, const char *id)SKH_NOEXCEPT; /* [any]; may be NULL */
} skh_plugin;

typedef struct skh_entry {
  uint32_t magic, size;             /* SKH_MAGIC */
  uint32_t abi_minor, needs_minor;  /* minor of the build; oldest minor of a host that it needs */
  const skh_plugin *const *plugins; /* NULL terminated */
} skh_entry;

extern SKH_EXPORT const skh_entry skh_plugin_entry_v1;

#ifdef __cplusplus
}
#endif
#endif
