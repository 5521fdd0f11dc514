/* SPDX-License-Identifier: Apache-2.0
 * create() assumes that it has a cache directory.
 */
#include "misbehaving.h"

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  if (host->cache_dir.size == 0) {
    call->fail(call, text_of("there is no cache directory"));
    return SKH_FAILED;
  }
  return hello_create(host, call, self);
}

MISBEHAVING_LIFE("needs_cache_directory", &create, &hello_destroy);
