/* SPDX-License-Identifier: Apache-2.0
 * Asks which snapshot to serve, and serves what it always does.
 */
#include "misbehaving.h"

#include <skillhost/pin.h>

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  host->extension(host, SKH_PIN);
  return hello_create(host, call, self);
}

MISBEHAVING_LIFE("ignores_pin", &create, &hello_destroy);
