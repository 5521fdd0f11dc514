/* SPDX-License-Identifier: Apache-2.0
 * skillhost/health.h - lets an instance report its health. Version 1: optional, for plugins of any
 * kind that continue without something that is configured. It adds nothing to plugin.h, whose rules
 * apply.
 *
 * A host that supports it returns an skh_health for SKH_HEALTH and shows the reports to operators;
 * other hosts return NULL. Failed calls need not be reported, because the host sees them.
 */
#ifndef SKILLHOST_HEALTH_H
#define SKILLHOST_HEALTH_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_HEALTH "skh.health/1"

enum {
  SKH_HEALTHY = 0,  /* works as configured: the state of every instance until it reports another */
  SKH_STARTING = 1, /* answers, but does not know yet whether it will work as configured */
  SKH_DEGRADED = 2  /* answers, but does not work as configured */
};

/* Returned by skh_host.extension(host, SKH_HEALTH). Valid until destroy() has returned. */
typedef struct skh_health skh_health;
struct skh_health {
  uint32_t size, reserved;
  /* Reports the state from now on and the reason for people, with what to do about it. An unknown
   * state counts as SKH_DEGRADED. The reason is cut at 1,000 bytes. Returns at once. [any] */
  void (*tell)(const skh_health *, int32_t state, skh_str why) SKH_NOEXCEPT;
};

#ifdef __cplusplus
}
#endif
#endif
