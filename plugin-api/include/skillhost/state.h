/* SPDX-License-Identifier: Apache-2.0
 * skillhost/state.h - the kind "skh.state/1": small values that the replicas of one service share,
 * and messages from one replica to the others. Version 1 of the kind, for every host that knows it.
 *
 * The rules of <skillhost/plugin.h> hold here too: memory never changes owner, nothing unwinds,
 * structs only grow, strings have a length. A plugin of this kind sets `kind` to SKH_STATE_KIND and
 * `ops` to an skh_state. Keys, values, channels and payloads are bytes that mean nothing to it: the
 * host puts a prefix of its own before every key and channel, and never puts a secret in any.
 * SKH_SERIAL is not for this kind, as receive() overlaps all other calls.
 *
 * Limits: a key or channel has 1 to 512 bytes, a value or payload at most 1 MiB; beyond them the
 * answer is SKH_INVALID or SKH_TOO_LARGE, and nothing is stored. A value that is there under a key
 * but was not stored through this table, such as a list of another product, is SKH_CORRUPT; it is
 * left as it is by everything but put() and erase().
 *
 * Order: each call takes effect at one moment between its begin and its end, for all replicas. One
 * that ends with SKH_UNAVAILABLE or SKH_DEADLINE may have taken effect or not, and nothing is ever
 * done twice: a call that may have reached the engine is not sent again. While the engine is away
 * every call but receive() fails with SKH_UNAVAILABLE at once, so that nobody waits for it; the
 * plugin connects again by itself, with pauses that grow.
 *
 * Expiry: milliseconds from the engine's receipt, by the engine's clock, which the replicas' clocks
 * need not agree with; 0: it does not expire. What has expired is not there. A value may be gone
 * before: an engine that is full or was restarted may forget, and the host has to bear that.
 */
#ifndef SKILLHOST_STATE_H
#define SKILLHOST_STATE_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_STATE_KIND "skh.state/1"

enum {
  /* Messages may have been lost before this one, on any channel: after a new connection, or when
   * too many waited. One with this flag may have no channel and no payload. */
  SKH_MESSAGES_LOST = 1u << 0
};

typedef struct skh_message {
  uint32_t size, flags; /* SKH_MESSAGES_* */
  skh_str channel;
  skh_str payload;
} skh_message;

/* Receives messages, in order. A negative answer means stop and return that status. */
typedef struct skh_messages skh_messages;
struct skh_messages {
  uint32_t size, reserved;
  skh_status (*add)(const skh_messages *, const skh_message *) SKH_NOEXCEPT;
};

typedef struct skh_state {
  uint32_t size, reserved;
  /* Before the first listener opens, and on demand: that the engine answers, and that what is
   * configured may do all that this table needs. SKH_INVALID: the configuration cannot work.
   * [worker] */
  skh_status (*check)(void *self, const skh_call *) SKH_NOEXCEPT;
  /* Writes the value. With `expire_ms` above 0 that is the time it has from now on, in the same
   * step; with 0 its time stays as it is. SKH_NOT_FOUND: there is none. [worker] */
  skh_status (*get)(void *self, const skh_call *, skh_str key, uint64_t expire_ms,
                    const skh_bytes *value) SKH_NOEXCEPT;
  /* In the place of whatever is there. [worker] */
  skh_status (*put)(void *self, const skh_call *, skh_str key, skh_str value,
                    uint64_t expire_ms) SKH_NOEXCEPT;
  /* The same when the value that is there is exactly `expected`; NULL: when there is none.
   * SKH_STALE: it is another one, or there is one, or there is none; nothing was done. [worker] */
  skh_status (*compare_and_set)(void *self, const skh_call *, skh_str key, const skh_str *expected,
                                skh_str value, uint64_t expire_ms) SKH_NOEXCEPT;
  /* Whatever is there; with `expected` only exactly that, else SKH_STALE. SKH_NOT_FOUND: there is
   * none. [worker] */
  skh_status (*erase)(void *self, const skh_call *, skh_str key,
                      const skh_str *expected) SKH_NOEXCEPT;
  /* Adds to a counter and writes the sum as a decimal number. One that is not there begins at 0
   * and expires after `expire_ms`, however often it is added to meanwhile. SKH_INVALID: the sum
   * does not fit into 64 bits; nothing was done. A counter and a value are not the same thing under
   * one key: what get() gives for a counter is not said. [worker] */
  skh_status (*add)(void *self, const skh_call *, skh_str key, int64_t delta, uint64_t expire_ms,
                    const skh_bytes *sum) SKH_NOEXCEPT;
  /* To all who are subscribed to the channel at this moment, the sender's own instance among them.
   * At most once to each; those of one sender on one channel in the order of sending. [worker] */
  skh_status (*publish)(void *self, const skh_call *, skh_str channel,
                        skh_str payload) SKH_NOEXCEPT;
  /* From its SKH_OK on, messages of that channel come out of receive(); also after the engine was
   * away. SKH_UNAVAILABLE: it is remembered, and holds once the engine is back. Twice is the same
   * as once. At most 1,024 channels; SKH_TOO_LARGE: there are so many. [worker] */
  skh_status (*subscribe)(void *self, const skh_call *, skh_str channel) SKH_NOEXCEPT;
  /* SKH_NOT_FOUND: it was not subscribed to. [worker] */
  skh_status (*unsubscribe)(void *self, const skh_call *, skh_str channel) SKH_NOEXCEPT;
  /* Waits for a message, then hands over what has come, at most 1,024 and 64 MiB; with none until
   * the deadline it is SKH_OK, too. The host calls it again and again, one call at a time, on a
   * thread that it takes for the whole of it. Between two calls at least 4,096 messages or 16 MiB
   * wait; beyond that the oldest are dropped, and the next is SKH_MESSAGES_LOST. [worker] */
  skh_status (*receive)(void *self, const skh_call *, const skh_messages *out) SKH_NOEXCEPT;
} skh_state;

#ifdef __cplusplus
}
#endif
#endif
