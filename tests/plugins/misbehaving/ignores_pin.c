/* SPDX-License-Identifier: Apache-2.0
 * Reads the setting of the snapshot to serve, and always serves the same.
 */
#include "misbehaving.h"

#include <skillhost/pin.h>

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  host->extension(host, SKH_PIN);
  return hello_create(host, call, self);
}

MISBEHAVING_LIFE("ignores_pin", &create, &hello_destroy);
