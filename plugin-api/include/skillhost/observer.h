/* SPDX-License-Identifier: Apache-2.0
 * skillhost/observer.h - the kind "skh.observer/1": a plugin that is told what happens in the
 * server, and changes nothing of it. Version 1 of the kind, for every host that knows it.
 *
 * The rules of <skillhost/plugin.h> hold here too: memory never changes owner, nothing unwinds,
 * structs only grow, strings are UTF-8 with a length. A plugin of this kind sets `kind` to
 * SKH_OBSERVER_KIND and `ops` to an skh_observer.
 *
 * Batches: the host copies each event into a queue of the instance, and hands over what has
 * gathered in batches of at most 256 events: the functions below, one call for each event in the
 * order in which the events happened, and then flush(). All calls of a batch have the same
 * skh_call: its deadline, 10 seconds after the batch began, is that of the whole batch. Calls on
 * one instance never overlap, whether or not the plugin sets SKH_SERIAL. Nobody waits for them:
 * no client notices how long they take. The host makes batches smaller while they take long.
 *
 * Results: SKH_OK means that the event was taken, and SKH_OK of flush() that all events of the
 * batch are where they belong. After any other status the host ends the batch there. When the
 * status is SKH_UNAVAILABLE, it offers all events of the batch again a second later, as often as
 * that is the answer. After any other status, and after a batch that has not come back by its
 * deadline, it counts all of them as lost, though the observer may have kept some. So answer
 * SKH_UNAVAILABLE before anything of a batch was kept, or bear that events come twice.
 *
 * Losses: the queue holds at most 4,096 events and 4 MiB. What finds no room is dropped and
 * counted. lost() tells of it at its place in the order of events, so that an observer which keeps
 * them can say where some are missing. Operators see it in the log, in the state of the instance
 * and in the metric skillhost_observer_lost_total.
 *
 * Limits: a text that a client or a person wrote is cut to 8,192 bytes, at the end of a character;
 * JSON of more than 65,536 bytes is left out, its string is empty then.
 *
 * Events since the start of the server are told, also those from before create(), but for lines of
 * the log: these are told from the end of create() on. The lines that an observer logs, and those
 * in which the host speaks of it, are told to no observer.
 */
#ifndef SKILLHOST_OBSERVER_H
#define SKILLHOST_OBSERVER_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_OBSERVER_KIND "skh.observer/1"

/* The kinds of events, as bits of skh_observer.wants and of lost(). */
enum {
  SKH_EVENT_CALL_ENDED = 1u << 0,
  SKH_EVENT_REFUSED = 1u << 1,
  SKH_EVENT_CATALOGUE_CHANGED = 1u << 3,
  SKH_EVENT_AUDIT_RECORD = 1u << 4,
  SKH_EVENT_LOG_RECORD = 1u << 5
};

/* skh_use.kind. */
enum { SKH_USE_LOAD = 0, SKH_USE_READ = 1, SKH_USE_SEARCH = 2, SKH_USE_REFUSAL = 3 };

/* One use of a skill by a client, or an attempt. Each text may be empty: it is not known then, or
 * there is none. What names a person is personal data, and `text` is what a client has asked for.
 */
typedef struct skh_use {
  uint32_t size, kind;   /* SKH_USE_* */
  int64_t time_ms;       /* Unix time in milliseconds, when the call ended */
  uint32_t microseconds; /* that the call took; UINT32_MAX: as many, or more */
  uint32_t reserved;
  skh_str skill;          /* its name, as its author wrote it */
  skh_str source, path;   /* of the skill in its source: together they are its id */
  skh_str digest;         /* of the content, as clients are told it */
  skh_str issuer, person; /* the principal who asked; both empty: nobody was asked who it is */
  skh_str client;         /* the program, by its own word */
  skh_str outcome;        /* "ok", "unchanged" (a load of what the client has), "nothing" (a search
                           * that found nothing), or the code of what failed, such as "NOT_FOUND" */
  skh_str text;           /* what was asked for and not found */
} skh_use;

/* One record of the audit: who was refused, who managed the server, when it started and stopped. */
typedef struct skh_audit_record {
  uint32_t size, reserved;
  int64_t time_ms;     /* Unix time in milliseconds */
  skh_str event;       /* "refused", "managed", "started" and their like: more may come */
  skh_str record_json; /* JSON object of texts and numbers that tells all of it but the time */
} skh_audit_record;

/* One line of the log, with secrets masked. */
typedef struct skh_log_record {
  uint32_t size;
  int32_t level;       /* SKH_DEBUG to SKH_ERROR */
  int64_t time_ms;     /* Unix time in milliseconds */
  skh_str part;        /* of the server, "http" for instance, or the name of an instance */
  skh_str message;     /* one line */
  skh_str fields_json; /* JSON object of what the line tells to programs; empty: nothing */
} skh_log_record;

typedef struct skh_observer {
  uint32_t size;
  /* SKH_EVENT_*: what the observer is told of. The function of each bit that is set is required,
   * and a bit that the host does not know is ignored; all other functions may be NULL. */
  uint32_t wants;
  /* A call that used a skill has been answered, or was refused because its client asks too much. A
   * call that used none, such as a list, is no event. [worker] */
  skh_status (*call_ended)(void *self, const skh_call *, const skh_use *) SKH_NOEXCEPT;
  /* Somebody was refused who may not use the server, or not in this way: the kind is
   * SKH_USE_REFUSAL, the outcome says why. [worker] */
  skh_status (*refused)(void *self, const skh_call *, const skh_use *) SKH_NOEXCEPT;
  /* [worker] */
  skh_status (*audit_record)(void *self, const skh_call *, const skh_audit_record *) SKH_NOEXCEPT;
  /* Other skills, or other texts of them, are served from now on. `generation` counts the
   * catalogues of this process, from 1 on; some may be left out. [worker] */
  skh_status (*catalogue_changed)(void *self, const skh_call *, uint64_t generation) SKH_NOEXCEPT;
  /* A line of the log of the level INFO or above, or one below that the log has. [worker] */
  skh_status (*log_record)(void *self, const skh_call *, const skh_log_record *) SKH_NOEXCEPT;
  /* `count` events of the kinds `events` (SKH_EVENT_*) were lost between the event that was told
   * before this and the one that is told next. Lost events of a kind that the observer does not
   * want are not counted. [worker] */
  skh_status (*lost)(void *self, const skh_call *, uint32_t events, uint64_t count) SKH_NOEXCEPT;
  /* The batch ends: write what you have gathered. [worker] */
  skh_status (*flush)(void *self, const skh_call *) SKH_NOEXCEPT;
} skh_observer;

#ifdef __cplusplus
}
#endif
#endif
