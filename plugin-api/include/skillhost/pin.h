/* SPDX-License-Identifier: Apache-2.0
 * skillhost/pin.h - names the snapshot that a source must serve. Version 1: optional, for sources
 * whose upstream keeps earlier versions. It adds nothing to plugin.h, whose rules apply.
 *
 * A host that supports it returns an skh_pin for SKH_PIN. Other hosts return NULL, and the source
 * then serves what it always does. A source that asks for it makes a promise: it asks in its
 * create() and from then on does what `mode` says. Other sources are not affected.
 */
#ifndef SKILLHOST_PIN_H
#define SKILLHOST_PIN_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_PIN "skh.pin/1"

enum {
  SKH_PIN_FREE = 0, /* as without this interface */
  /* list() and changes() name `snapshot`, which an earlier instance has named, even if there are
   * newer ones. If that snapshot is no longer available, create() or list() fails. The source never
   * serves another one. */
  SKH_PIN_SNAPSHOT = 1,
  /* list() names upstream's present snapshot. It waits for it and fails if it cannot find out. */
  SKH_PIN_NEWEST = 2
};

/* Returned by skh_host.extension(host, SKH_PIN). Valid until destroy() has returned. [any] */
typedef struct skh_pin {
  uint32_t size;
  int32_t mode;     /* SKH_PIN_*; an unknown value counts as SKH_PIN_FREE */
  skh_str snapshot; /* as named by done(); empty except for SKH_PIN_SNAPSHOT */
} skh_pin;

#ifdef __cplusplus
}
#endif
#endif
