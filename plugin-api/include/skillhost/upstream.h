/* SPDX-License-Identifier: Apache-2.0
 * skillhost/upstream.h - makes a source plugin a filter: it receives the source that it is
 * configured to wrap, and serves what it lets through. Version 1: optional, for plugins of kind
 * "skh.source/1". It adds nothing to plugin.h, whose rules apply.
 *
 * Experimental: until two filters that skillhost ships use this interface, a later skillhost may
 * replace it by one with another id. It then refuses your plugin as a filter, and says why.
 *
 * A host returns an skh_upstream for SKH_UPSTREAM if the instance is configured as a filter of a
 * source. For any other instance, and in a host that has no filters, it returns NULL: create() then
 * fails with SKH_INVALID and a message, unless the plugin is a source without an upstream, too. A
 * filter asks in its create(). That is its promise that what it serves is what it lets through of
 * the upstream, so the host refuses a plugin that is configured as a filter and has not asked when
 * create() returns.
 *
 * A filter serves documents and snapshots of its own, with its names and its revisions. It may
 * leave out documents, change their bytes and add documents. If it changes bytes, it also changes
 * the revision, and the revision of a document and the name of the snapshot depend on its
 * configuration, too: two instances with different rules never serve different bytes under one
 * revision. Facts about bytes (facts.h), such as a signature, must not be passed on for bytes that
 * the filter has changed. The host reads nothing of the upstream but through the filter, so what a
 * failing filter does not serve is not served.
 *
 * Changes: if the upstream changes, the host calls changes() or list() of the filter soon. The
 * filter then asks the upstream. It calls skh_host.changed() only for reasons of its own.
 */
#ifndef SKILLHOST_UPSTREAM_H
#define SKILLHOST_UPSTREAM_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_UPSTREAM "skh.upstream/1"

/* Receives the documents that skh_upstream.read_each() reads. */
typedef struct skh_readings skh_readings;
struct skh_readings {
  uint32_t size, reserved;
  /* Takes the outcome of one document, each once and in any order, on the thread that has called
   * read_each(), one at a time. `index` is its place in the list. If `status` is SKH_OK, `bytes`
   * has the whole document, otherwise the reason for people. If add() returns a negative status,
   * read_each() stops and returns it. */
  skh_status (*add)(const skh_readings *, size_t index, skh_status status,
                    skh_str bytes) SKH_NOEXCEPT;
};

/* Returned by skh_host.extension(host, SKH_UPSTREAM). Valid until destroy() has returned.
 *
 * The functions may be called during a call of the host other than create(), on any thread and
 * within a sink, too. The skh_call is the one that the host has given to the filter. Cancelling
 * that call cancels the upstream's work. The upstream's deadline is up to half a second earlier
 * than the call's, so that the filter can return in time. With the skh_call of create(), and with
 * one that the host has not given, they return SKH_INVALID. A call that has ended must not be used.
 * If they fail for a reason of the upstream, they have given the reason to skh_call.fail(). A
 * filter that returns the same status need not say more.
 *
 * Results go to sinks of the plugin after the upstream has given all of them. If a sink returns a
 * negative status, the function returns it. */
typedef struct skh_upstream skh_upstream;
struct skh_upstream {
  uint32_t size, reserved;
  skh_str name; /* of the source in the configuration */
  /* Works as skh_source.list. The documents come sorted by skill and path, each once. The host has
   * left out those that break its rules. */
  skh_status (*list)(const skh_upstream *, const skh_call *, const skh_documents *out) SKH_NOEXCEPT;
  /* Works as skh_source.changes. `since` is the snapshot that the upstream has named last; for any
   * other one the result is SKH_STALE, and after a restart, too. */
  skh_status (*changes)(const skh_upstream *, const skh_call *, skh_str since,
                        const skh_documents *out) SKH_NOEXCEPT;
  /* Works as skh_source.read. Only `skill`, `path` and `revision` of `which` are used. It reads
   * only documents of the snapshot that the upstream has named last: the result is SKH_STALE if
   * the document has another revision there or nothing has been listed yet, and SKH_NOT_FOUND if it
   * is not there. A document of more than 64 MiB is SKH_TOO_LARGE. What the filter
   * itself serves has the limits of skh_source.read. */
  skh_status (*read)(const skh_upstream *, const skh_call *, const skh_document *which,
                     const skh_bytes *out) SKH_NOEXCEPT;
  /* Reads several documents, as many at once as the upstream can. Returns SKH_OK if `out` has
   * received the outcome of each, even of those that could not be read. */
  skh_status (*read_each)(const skh_upstream *, const skh_call *, const skh_document *const *which,
                          size_t count, const skh_readings *out) SKH_NOEXCEPT;
  /* Writes what facts.h specifies for the snapshot that the upstream has named last, "{}" if there
   * are no facts; SKH_STALE for any other one. */
  skh_status (*facts)(const skh_upstream *, const skh_call *, skh_str snapshot,
                      const skh_bytes *out) SKH_NOEXCEPT;
};

#ifdef __cplusplus
}
#endif
#endif
