/* SPDX-License-Identifier: Apache-2.0
 * skillhost/observer.h - the kind "skh.observer/1": a plugin that receives the events of the server
 * and changes nothing in it. Version 1 of the kind, for every host that knows it.
 *
 * Experimental: until two plugins that skillhost ships use this kind, a later skillhost may replace
 * it by a kind with another id. Your plugin is then not loaded, and the log says so.
 *
 * The rules of <skillhost/plugin.h> hold here too: memory never changes owner, nothing unwinds,
 * structs only grow, strings are UTF-8 with a length. A plugin of this kind sets `kind` to
 * SKH_OBSERVER_KIND and `ops` to an skh_observer.
 *
 * Batches: the host copies each event into a queue of the instance, and hands over the waiting
 * events in batches of at most 256. For each event, in the order in which the events happened, it
 * calls one of the functions below, and then flush(). All calls of a batch have the same skh_call.
 * Its deadline, 10 seconds after the beginning of the batch, is that of the whole batch. Calls on
 * one instance never overlap, whether or not the plugin sets SKH_SERIAL. No client waits for them.
 * The host makes batches smaller while they take long.
 *
 * Results: SKH_OK means that the plugin has taken the event, and SKH_OK of flush() that all events
 * of the batch are stored or sent. At any other status the host ends the batch. If the status is
 * SKH_UNAVAILABLE, the host offers all events of the batch again a second later, and repeats this
 * as long as the status is the same. After any other status, or if the batch has not ended by its
 * deadline, the host counts all its events as lost, even if the observer has kept some. So return
 * SKH_UNAVAILABLE before you have kept an event of the batch, or accept that events come twice.
 *
 * Losses: the queue holds at most 4,096 events and 4 MiB. Events that do not fit are dropped and
 * counted. The host calls lost() at their place in the order of events, so that an observer that
 * keeps events can record where some are missing. Operators see losses in the log, in the state of
 * the instance and in the metric skillhost_observer_lost_total.
 *
 * Limits: a text that a client or a person wrote is cut to 8,192 bytes, at the end of a character.
 * JSON of more than 65,536 bytes is left out; its string is then empty.
 *
 * An observer receives all events since the start of the server, even those from before create().
 * The exception is lines of the log, which it receives from the end of create() on. No observer
 * receives the lines that an observer logs, or those of the parts "plugin" and "network" in which
 * the host reports about one.
 */
#ifndef SKILLHOST_OBSERVER_H
#define SKILLHOST_OBSERVER_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_OBSERVER_KIND "skh.observer/1"

/* The kinds of events, as bits of skh_observer.wants and of lost(). Bit 2 is reserved. */
enum {
  SKH_EVENT_CALL_ENDED = 1u << 0,
  SKH_EVENT_REFUSED = 1u << 1,
  SKH_EVENT_CATALOGUE_CHANGED = 1u << 3,
  SKH_EVENT_AUDIT_RECORD = 1u << 4,
  SKH_EVENT_LOG_RECORD = 1u << 5
};

/* skh_use.kind. */
enum { SKH_USE_LOAD = 0, SKH_USE_READ = 1, SKH_USE_SEARCH = 2, SKH_USE_REFUSAL = 3 };

/* A use of a skill by a client, or an attempt. Each text may be empty, if it is unknown or there is
 * none. Texts that name a person are personal data, and so may be `text`, which a client wrote. */
typedef struct skh_use {
  uint32_t size, kind;   /* SKH_USE_* */
  int64_t time_ms;       /* Unix time in milliseconds, when the call ended */
  uint32_t microseconds; /* duration of the call; UINT32_MAX: this or more */
  uint32_t reserved;
  skh_str skill;          /* name of the skill, as its author wrote it */
  skh_str source, path;   /* place of the skill; together they are its id */
  skh_str digest;         /* digest of the content, as clients receive it */
  skh_str issuer, person; /* the caller; both empty: callers are not identified */
  skh_str client;         /* name that the client program gave itself */
  skh_str outcome;        /* "ok", "unchanged" (a load of content that the client has), "nothing" (a
                           * search without a result), or the code of an error, such as "NOT_FOUND" */
  skh_str text;           /* the query or name that was not found */
} skh_use;

/* An audit record: a refused caller, an action of a manager, a start or a stop of the server. */
typedef struct skh_audit_record {
  uint32_t size, reserved;
  int64_t time_ms;     /* Unix time in milliseconds */
  skh_str event;       /* "refused", "managed", "started" and others; new ones may be added */
  skh_str record_json; /* JSON object with all members except the time: texts and numbers */
} skh_audit_record;

/* A line of the log, with masked secrets. */
typedef struct skh_log_record {
  uint32_t size;
  int32_t level;       /* SKH_DEBUG to SKH_ERROR */
  int64_t time_ms;     /* Unix time in milliseconds */
  skh_str part;        /* part of the server, such as "http", or the name of an instance */
  skh_str message;     /* one line */
  skh_str fields_json; /* JSON object with the fields of the line; empty: there are none */
} skh_log_record;

typedef struct skh_observer {
  uint32_t size;
  /* SKH_EVENT_*: the events that the observer receives. The function of each bit that is set is
   * required; all other functions may be NULL. The host ignores bits that it does not know. */
  uint32_t wants;
  /* A call that used a skill has been answered, or a call was refused because its client had
   * reached its rate limit. A call that used no skill, such as a list, is no event. [worker] */
  skh_status (*call_ended)(void *self, const skh_call *, const skh_use *) SKH_NOEXCEPT;
  /* A caller was refused, who may not use the server, or not in this way. The kind is
   * SKH_USE_REFUSAL, and the outcome is the reason. [worker] */
  skh_status (*refused)(void *self, const skh_call *, const skh_use *) SKH_NOEXCEPT;
  /* A record was added to the audit. [worker] */
  skh_status (*audit_record)(void *self, const skh_call *, const skh_audit_record *) SKH_NOEXCEPT;
  /* The set of served skills, or a text of one, has changed. `generation` counts the catalogues of
   * this process from 1; some numbers may be skipped. [worker] */
  skh_status (*catalogue_changed)(void *self, const skh_call *, uint64_t generation) SKH_NOEXCEPT;
  /* A line of the level INFO or above was logged, or a lower one that log.level permits. [worker]
   */
  skh_status (*log_record)(void *self, const skh_call *, const skh_log_record *) SKH_NOEXCEPT;
  /* `count` events of the kinds `events` (SKH_EVENT_*) were lost between the previous event and the
   * next one. Lost events that the observer does not want are not counted. [worker] */
  skh_status (*lost)(void *self, const skh_call *, uint32_t events, uint64_t count) SKH_NOEXCEPT;
  /* The batch ends. Write the events that you have collected. [worker] */
  skh_status (*flush)(void *self, const skh_call *) SKH_NOEXCEPT;
} skh_observer;

#ifdef __cplusplus
}
#endif
#endif
