/* SPDX-License-Identifier: Apache-2.0
 * A source that states the facts FACTS, a literal of JSON. Each faulty one breaks one rule of
 * facts.h.
 */
#pragma once

#include "misbehaving.h"

#include <skillhost/facts.h>

static skh_status facts(void *self, const skh_call *call, skh_str snapshot, const skh_bytes *out) {
  (void)self, (void)call, (void)snapshot;
  return out->write(out, FACTS, sizeof FACTS - 1);
}

static const skh_facts fact_table = {sizeof(skh_facts), SKH_FACTS_MAGIC, &facts};

static const void *extension(void *self, const char *id) {
  (void)self;
  return strcmp(id, SKH_FACTS) == 0 ? &fact_table : NULL;
}

#define MISBEHAVING_FACTS(fault)                                                                   \
  MISBEHAVING("skh.source/1", fault, NULL, &hello_source, &hello_create, &hello_destroy, &extension)
