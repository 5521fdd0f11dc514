/* SPDX-License-Identifier: Apache-2.0
 * skillhost/pin.h - which snapshot a source is to serve, version 1: optional, for sources whose
 * upstream remembers what it once had. It adds nothing to plugin.h, whose rules hold.
 *
 * A host that knows it lends an skh_pin to who asks for SKH_PIN; one that does not answers NULL,
 * and the source serves what it always does. To ask is to promise: a source that asks does so in
 * its create() and does what `mode` says from then on. Nobody else is affected.
 */
#ifndef SKILLHOST_PIN_H
#define SKILLHOST_PIN_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_PIN "skh.pin/1"

enum {
  SKH_PIN_FREE = 0, /* as if there were no such interface */
  /* list() and changes() name `snapshot`, which an earlier instance has named, though there be
   * newer ones; where it can no longer be had, create() or list() fails. Another one never comes.
   */
  SKH_PIN_SNAPSHOT = 1,
  /* list() names what upstream has now: it waits for that, and fails when it cannot find out. */
  SKH_PIN_NEWEST = 2
};

/* skh_host.extension(host, SKH_PIN). Valid until destroy() has returned. [any] */
typedef struct skh_pin {
  uint32_t size;
  int32_t mode;     /* SKH_PIN_*; an unknown one reads as SKH_PIN_FREE */
  skh_str snapshot; /* as done() named it; empty but for SKH_PIN_SNAPSHOT */
} skh_pin;

#ifdef __cplusplus
}
#endif
#endif
