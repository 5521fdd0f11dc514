/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of every struct in plugin.h, and every constant, as the lines that are frozen
 * in v<major>.<minor>.layout beside this file (LP64 machines: x86-64, AArch64).
 *
 *   struct field offset size type      a field; a type other than this one does not compile
 *   struct sizeof - size               the whole struct
 *   constant name value
 *   symbol name                        what a plugin exports
 *
 * Add a new field or constant by hand, with its type; tests/abi compares the lines.
 */
#include "layout.h"

#include <skillhost/plugin.h>

static void printShared(void) {
  STRUCT(skh_str);
  FIELD(skh_str, data, const char *);
  FIELD(skh_str, size, size_t);
  STRUCT(skh_call);
  FIELD(skh_call, size, uint32_t);
  FIELD(skh_call, reserved, uint32_t);
  FIELD(skh_call, deadline_ns, int64_t);
  FIELD(skh_call, cancelled, int32_t (*)(const skh_call *));
  FIELD(skh_call, progress, void (*)(const skh_call *, uint64_t, uint64_t, skh_str));
  FIELD(skh_call, fail, void (*)(const skh_call *, skh_str));
  FIELD(skh_call, traceparent, skh_str);
  FIELD(skh_call, tracestate, skh_str);
  STRUCT(skh_host);
  FIELD(skh_host, size, uint32_t);
  FIELD(skh_host, abi_minor, uint32_t);
  FIELD(skh_host, name, skh_str);
  FIELD(skh_host, version, skh_str);
  FIELD(skh_host, instance, skh_str);
  FIELD(skh_host, config, skh_str);
  FIELD(skh_host, cache_dir, skh_str);
  FIELD(skh_host, log, void (*)(const skh_host *, int32_t, skh_str));
  FIELD(skh_host, metric, void (*)(const skh_host *, int32_t, skh_str, double));
  FIELD(skh_host, changed, void (*)(const skh_host *));
  FIELD(skh_host, extension, const void *(*)(const skh_host *, const char *));
  STRUCT(skh_bytes);
  FIELD(skh_bytes, size, uint32_t);
  FIELD(skh_bytes, reserved, uint32_t);
  FIELD(skh_bytes, write, skh_status(*)(const skh_bytes *, const void *, size_t));
}

static void printSource(void) {
  STRUCT(skh_document);
  FIELD(skh_document, size, uint32_t);
  FIELD(skh_document, flags, uint32_t);
  FIELD(skh_document, skill, skh_str);
  FIELD(skh_document, path, skh_str);
  FIELD(skh_document, revision, skh_str);
  FIELD(skh_document, length, uint64_t);
  FIELD(skh_document, location, skh_str);
  STRUCT(skh_documents);
  FIELD(skh_documents, size, uint32_t);
  FIELD(skh_documents, reserved, uint32_t);
  FIELD(skh_documents, add, skh_status(*)(const skh_documents *, const skh_document *));
  FIELD(skh_documents, done, skh_status(*)(const skh_documents *, skh_str));
  STRUCT(skh_source);
  FIELD(skh_source, size, uint32_t);
  FIELD(skh_source, reserved, uint32_t);
  FIELD(skh_source, list, skh_status(*)(void *, const skh_call *, const skh_documents *));
  FIELD(skh_source, read,
        skh_status(*)(void *, const skh_call *, const skh_document *, const skh_bytes *));
  FIELD(skh_source, changes,
        skh_status(*)(void *, const skh_call *, skh_str, const skh_documents *));
}

static void printSearch(void) {
  STRUCT(skh_entry_text);
  FIELD(skh_entry_text, size, uint32_t);
  FIELD(skh_entry_text, reserved, uint32_t);
  FIELD(skh_entry_text, id, skh_str);
  FIELD(skh_entry_text, revision, skh_str);
  FIELD(skh_entry_text, name, skh_str);
  FIELD(skh_entry_text, description, skh_str);
  FIELD(skh_entry_text, body, skh_str);
  FIELD(skh_entry_text, attributes, skh_str);
  STRUCT(skh_hit);
  FIELD(skh_hit, size, uint32_t);
  FIELD(skh_hit, reserved, uint32_t);
  FIELD(skh_hit, id, skh_str);
  FIELD(skh_hit, score, double);
  FIELD(skh_hit, snippet, skh_str);
  STRUCT(skh_hits);
  FIELD(skh_hits, size, uint32_t);
  FIELD(skh_hits, reserved, uint32_t);
  FIELD(skh_hits, add, skh_status(*)(const skh_hits *, const skh_hit *));
  STRUCT(skh_search);
  FIELD(skh_search, size, uint32_t);
  FIELD(skh_search, reserved, uint32_t);
  FIELD(skh_search, put, skh_status(*)(void *, const skh_call *, const skh_entry_text *));
  FIELD(skh_search, remove, skh_status(*)(void *, const skh_call *, skh_str));
  FIELD(skh_search, commit, skh_status(*)(void *, const skh_call *, skh_str));
  FIELD(skh_search, generation, skh_status(*)(void *, const skh_call *, const skh_bytes *));
  FIELD(skh_search, query,
        skh_status(*)(void *, const skh_call *, skh_str, skh_str, uint32_t, const skh_hits *));
}

static void printAuth(void) {
  STRUCT(skh_credential);
  FIELD(skh_credential, size, uint32_t);
  FIELD(skh_credential, reserved, uint32_t);
  FIELD(skh_credential, scheme, skh_str);
  FIELD(skh_credential, value, skh_str);
  FIELD(skh_credential, resource, skh_str);
  FIELD(skh_credential, peer, skh_str);
  STRUCT(skh_principal);
  FIELD(skh_principal, size, uint32_t);
  FIELD(skh_principal, scope_count, uint32_t);
  FIELD(skh_principal, scopes, const skh_str *);
  FIELD(skh_principal, subject, skh_str);
  FIELD(skh_principal, issuer, skh_str);
  FIELD(skh_principal, claims, skh_str);
  FIELD(skh_principal, expires_at, int64_t);
  FIELD(skh_principal, cache_seconds, uint32_t);
  FIELD(skh_principal, reserved, uint32_t);
  STRUCT(skh_principals);
  FIELD(skh_principals, size, uint32_t);
  FIELD(skh_principals, reserved, uint32_t);
  FIELD(skh_principals, accept, skh_status(*)(const skh_principals *, const skh_principal *));
  STRUCT(skh_auth);
  FIELD(skh_auth, size, uint32_t);
  FIELD(skh_auth, reserved, uint32_t);
  FIELD(skh_auth, check, skh_status(*)(void *, const skh_call *));
  FIELD(skh_auth, validate,
        skh_status(*)(void *, const skh_call *, const skh_credential *, const skh_principals *));
  FIELD(skh_auth, describe, skh_status(*)(void *, const skh_call *, const skh_bytes *));
}

static void printPlugin(void) {
  STRUCT(skh_plugin);
  FIELD(skh_plugin, size, uint32_t);
  FIELD(skh_plugin, flags, uint32_t);
  FIELD(skh_plugin, kind, const char *);
  FIELD(skh_plugin, id, const char *);
  FIELD(skh_plugin, version, const char *);
  FIELD(skh_plugin, summary, const char *);
  FIELD(skh_plugin, licence, const char *);
  FIELD(skh_plugin, config_schema, const char *);
  FIELD(skh_plugin, ops, const void *);
  FIELD(skh_plugin, create, skh_status(*)(const skh_host *, const skh_call *, void **));
  FIELD(skh_plugin, destroy, void (*)(void *));
  FIELD(skh_plugin, extension, const void *(*)(void *, const char *));
  STRUCT(skh_entry);
  FIELD(skh_entry, magic, uint32_t);
  FIELD(skh_entry, size, uint32_t);
  FIELD(skh_entry, abi_minor, uint32_t);
  FIELD(skh_entry, needs_minor, uint32_t);
  FIELD(skh_entry, plugins, const skh_plugin *const *);
}

static void printConstants(void) {
  CONSTANT(SKH_MAGIC);
  CONSTANT(SKH_ABI_MAJOR);
  CONSTANT(SKH_ABI_MINOR);
  CONSTANT(SKH_OK);
  CONSTANT(SKH_FAILED);
  CONSTANT(SKH_CANCELLED);
  CONSTANT(SKH_DEADLINE);
  CONSTANT(SKH_INVALID);
  CONSTANT(SKH_NOT_FOUND);
  CONSTANT(SKH_STALE);
  CONSTANT(SKH_DENIED);
  CONSTANT(SKH_UNAVAILABLE);
  CONSTANT(SKH_TOO_LARGE);
  CONSTANT(SKH_UNSUPPORTED);
  CONSTANT(SKH_CORRUPT);
  CONSTANT(SKH_TRACE);
  CONSTANT(SKH_DEBUG);
  CONSTANT(SKH_INFO);
  CONSTANT(SKH_WARN);
  CONSTANT(SKH_ERROR);
  CONSTANT(SKH_COUNTER);
  CONSTANT(SKH_GAUGE);
  CONSTANT(SKH_HISTOGRAM);
  CONSTANT(SKH_DOC_ENTRY);
  CONSTANT(SKH_DOC_EXECUTABLE);
  CONSTANT(SKH_DOC_REMOVED);
  CONSTANT(SKH_SERIAL);
  CONSTANT(SKH_NETWORK);
  CONSTANT(SKH_CALIBRATED);
  CONSTANT(SKH_SHARES_CACHE);
  printf("skh_status sizeof - %zu\n", sizeof(skh_status));
  printf("symbol %s\n", SKH_ENTRY_SYMBOL);
}

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost plugin ABI %u.%u, LP64\n", SKH_ABI_MAJOR, SKH_ABI_MINOR);
  printShared();
  printSource();
  printSearch();
  printAuth();
  printPlugin();
  printConstants();
  return 0;
}
