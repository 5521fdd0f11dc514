/* SPDX-License-Identifier: Apache-2.0
 * An observer of two events that keeps nothing. Each faulty observer changes one part of it.
 */
#ifndef SKILLHOST_TEST_SMALL_OBSERVER_H
#define SKILLHOST_TEST_SMALL_OBSERVER_H

#include <skillhost/observer.h>

#ifndef WANTS
#define WANTS (SKH_EVENT_CALL_ENDED | SKH_EVENT_AUDIT_RECORD)
#endif
#ifndef AUDIT_RECORD
#define AUDIT_RECORD audit_record
#endif

static skh_status call_ended(void *self, const skh_call *call, const skh_use *use) {
  (void)self, (void)call, (void)use;
  return SKH_OK;
}

static skh_status audit_record(void *self, const skh_call *call, const skh_audit_record *record) {
  (void)self, (void)call, (void)record;
  return SKH_OK;
}

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  static char anything;
  (void)host, (void)call;
  *self = &anything;
  return SKH_OK;
}

static void destroy(void *self) { (void)self; }

#define SMALL_OBSERVER(name)                                                                       \
  static const skh_observer operations = {                                                         \
      sizeof(skh_observer), WANTS, call_ended, NULL, AUDIT_RECORD, NULL, NULL, NULL, NULL};        \
  static const skh_plugin plugin = {sizeof(skh_plugin),                                            \
                                    0,                                                             \
                                    SKH_OBSERVER_KIND,                                             \
                                    "test.misbehaving." name,                                      \
                                    "1.0.0",                                                       \
                                    "A test fixture",                                              \
                                    "Apache-2.0",                                                  \
                                    NULL,                                                          \
                                    &operations,                                                   \
                                    create,                                                        \
                                    destroy,                                                       \
                                    NULL};                                                         \
  static const skh_plugin *const plugins[] = {&plugin, NULL};                                      \
  SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR,   \
                                                    0, plugins}

#endif
