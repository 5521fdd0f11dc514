/* SPDX-License-Identifier: Apache-2.0
 * A plugin without a fault: it needs the newest minor, so it reads the fields of that minor without
 * SKH_HAS(). It fails if the host does not have what a host of that minor has.
 */
#define NEEDS_MINOR SKH_ABI_MINOR
#include "misbehaving.h"

#include <skillhost/health.h>

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  const skh_health *health = (const skh_health *)host->extension(host, SKH_HEALTH);
  if (host->abi_minor < SKH_ABI_MINOR || health == NULL) {
    call->fail(call, text_of("this host is older than it says"));
    return SKH_FAILED;
  }
  health->tell(health, SKH_HEALTHY, text_of("all is well"));
  return hello_create(host, call, self);
}

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  if (call->traceparent.size != 0 && call->traceparent.size != 55) return SKH_FAILED;
  return hello_read(self, call, which, out);
}

static const skh_source source = {sizeof(skh_source), 0, &hello_list, &read_document, NULL};
MISBEHAVING("skh.source/1", "needs_newest_minor", NULL, &source, &create, &hello_destroy, NULL);
