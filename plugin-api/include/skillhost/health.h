/* SPDX-License-Identifier: Apache-2.0
 * skillhost/health.h - how an instance is, version 1: optional, for plugins of any kind that work
 * on without something they were configured to have. It adds nothing to plugin.h, whose rules hold.
 *
 * A host that knows it lends an skh_health to who asks for SKH_HEALTH, and shows operators what it
 * is told; one that does not answers NULL. Calls that fail need not be told of: the host sees them.
 */
#ifndef SKILLHOST_HEALTH_H
#define SKILLHOST_HEALTH_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_HEALTH "skh.health/1"

enum {
  SKH_HEALTHY = 0,  /* as configured: what every instance is until it tells otherwise */
  SKH_STARTING = 1, /* answers already, but does not know yet whether it will be as configured */
  SKH_DEGRADED = 2  /* answers, but not as configured */
};

/* skh_host.extension(host, SKH_HEALTH). Valid until destroy() has returned. */
typedef struct skh_health skh_health;
struct skh_health {
  uint32_t size, reserved;
  /* What holds from now on: one of the three, another one reads as SKH_DEGRADED, and the reason
   * for people, with what to do about it; cut at 1,000 bytes. Returns at once. [any] */
  void (*tell)(const skh_health *, int32_t state, skh_str why) SKH_NOEXCEPT;
};

#ifdef __cplusplus
}
#endif
#endif
