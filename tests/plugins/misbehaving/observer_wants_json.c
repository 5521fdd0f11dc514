/* SPDX-License-Identifier: Apache-2.0 */
/* This observer refuses a record whose JSON was left out. */
#define AUDIT_RECORD record_with_json
#include "small_observer.h"

static skh_status record_with_json(void *self, const skh_call *call,
                                   const skh_audit_record *record) {
  static const char message[] = "a record without JSON";
  if (record->record_json.size != 0) return audit_record(self, call, record);
  call->fail(call, (skh_str){message, sizeof message - 1});
  return SKH_CORRUPT;
}

SMALL_OBSERVER("observer_wants_json");
