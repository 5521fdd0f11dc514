/* SPDX-License-Identifier: Apache-2.0
 * skillhost/state.h - the kind "skh.state/1": small values that the replicas of one service share,
 * and messages from one replica to the others. Version 1 of the kind, for every host that knows it.
 *
 * The rules of <skillhost/plugin.h> apply here too: memory never changes owner, nothing unwinds,
 * structs only grow, strings have a length. A plugin of this kind sets `kind` to SKH_STATE_KIND and
 * `ops` to an skh_state. Keys, values, channels and payloads are bytes without a meaning to the
 * plugin. The host puts a prefix of its own before every key and channel, and never stores a secret
 * in any of them. SKH_SERIAL is not allowed for this kind, because receive() overlaps all other
 * calls.
 *
 * Limits: a key or channel has 1 to 512 bytes, a value or payload at most 1 MiB. Beyond these
 * limits a call returns SKH_INVALID or SKH_TOO_LARGE and stores nothing. If a key holds something
 * that was not stored through this table, such as a list of another product, calls return
 * SKH_CORRUPT and leave it unchanged, except put() and erase().
 *
 * Order: each call takes effect at one moment between its begin and its end, for all replicas. A
 * call that ends with SKH_UNAVAILABLE or SKH_DEADLINE may or may not have taken effect. Nothing is
 * ever done twice: a call that may have reached the engine is not repeated. While the engine is
 * away, every call but receive() fails with SKH_UNAVAILABLE at once, so that nobody waits for it.
 * The plugin reconnects by itself, with growing pauses.
 *
 * Expiry: milliseconds from the time when the engine receives the call, by the engine's clock, with
 * which the replicas' clocks need not agree; 0: it does not expire. Calls do not find expired
 * values. A value may disappear earlier, because an engine that is full or was restarted may forget
 * it, and the host must tolerate that.
 */
#ifndef SKILLHOST_STATE_H
#define SKILLHOST_STATE_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_STATE_KIND "skh.state/1"

enum {
  /* Messages before this one may have been lost, on any channel: after a new connection, or because
   * too many were waiting. A message with this flag may have no channel and no payload. */
  SKH_MESSAGES_LOST = 1u << 0
};

typedef struct skh_message {
  uint32_t size, flags; /* SKH_MESSAGES_* */
  skh_str channel;
  skh_str payload;
} skh_message;

/* Receives messages, in order. If add() returns a negative status, stop and return that status. */
typedef struct skh_messages skh_messages;
struct skh_messages {
  uint32_t size, reserved;
  skh_status (*add)(const skh_messages *, const skh_message *) SKH_NOEXCEPT;
};

typedef struct skh_state {
  uint32_t size, reserved;
  /* Called before the first listener opens, and on demand. Checks that the engine answers and that
   * the configured login may do everything that this table needs. Returns SKH_INVALID if the
   * configuration cannot work. [worker] */
  skh_status (*check)(void *self, const skh_call *) SKH_NOEXCEPT;
  /* Writes the value to `value`. If `expire_ms` is above 0, the same step sets the expiry of the
   * value to that time from now; with 0 the expiry does not change. Returns SKH_NOT_FOUND if there
   * is no value. [worker] */
  skh_status (*get)(void *self, const skh_call *, skh_str key, uint64_t expire_ms,
                    const skh_bytes *value) SKH_NOEXCEPT;
  /* Stores the value in place of whatever is there. [worker] */
  skh_status (*put)(void *self, const skh_call *, skh_str key, skh_str value,
                    uint64_t expire_ms) SKH_NOEXCEPT;
  /* Stores the value only if the present value is exactly `expected`, or if there is none and
   * `expected` is NULL. Otherwise returns SKH_STALE and does nothing. [worker] */
  skh_status (*compare_and_set)(void *self, const skh_call *, skh_str key, const skh_str *expected,
                                skh_str value, uint64_t expire_ms) SKH_NOEXCEPT;
  /* Erases whatever is there; with `expected` only exactly that value, otherwise it returns
   * SKH_STALE. Returns SKH_NOT_FOUND if there is nothing. [worker] */
  skh_status (*erase)(void *self, const skh_call *, skh_str key,
                      const skh_str *expected) SKH_NOEXCEPT;
  /* Adds to a counter and writes the sum as a decimal number. A new counter begins at 0 and expires
   * after `expire_ms`, however often it is added to meanwhile. Returns SKH_INVALID, without a
   * change, if the sum does not fit into 64 bits. Do not use one key for a counter and a value: the
   * result of get() for a counter is unspecified. [worker] */
  skh_status (*add)(void *self, const skh_call *, skh_str key, int64_t delta, uint64_t expire_ms,
                    const skh_bytes *sum) SKH_NOEXCEPT;
  /* Sends to all present subscribers of the channel, including the sender's own instance. Each gets
   * the message at most once, and messages of one sender on one channel arrive in the order of
   * sending. [worker] */
  skh_status (*publish)(void *self, const skh_call *, skh_str channel,
                        skh_str payload) SKH_NOEXCEPT;
  /* After SKH_OK, receive() returns the messages of that channel, also after the engine was away.
   * After SKH_UNAVAILABLE the plugin remembers the subscription and makes it when the engine is
   * back. Subscribing twice has no further effect. At most 1,024 channels; beyond that it returns
   * SKH_TOO_LARGE. [worker] */
  skh_status (*subscribe)(void *self, const skh_call *, skh_str channel) SKH_NOEXCEPT;
  /* Returns SKH_NOT_FOUND if the channel was not subscribed to. [worker] */
  skh_status (*unsubscribe)(void *self, const skh_call *, skh_str channel) SKH_NOEXCEPT;
  /* Waits for a message, then delivers the messages that have arrived, at most 1,024 and 64 MiB. If
   * none arrives until the deadline, it returns SKH_OK as well. The host calls it again and again,
   * one call at a time, on a thread reserved for it. Between two calls the plugin keeps at least
   * 4,096 messages or 16 MiB. Beyond that it drops the oldest, and the next message has
   * SKH_MESSAGES_LOST. [worker] */
  skh_status (*receive)(void *self, const skh_call *, const skh_messages *out) SKH_NOEXCEPT;
} skh_state;

#ifdef __cplusplus
}
#endif
#endif
