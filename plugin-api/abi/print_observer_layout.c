/* SPDX-License-Identifier: Apache-2.0
 * The same for observer.h: the lines that are frozen in observer-1.layout. A new field or constant
 * is added here by hand, with its type; tests/abi compares.
 */
#include "layout.h"

#include <skillhost/observer.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost plugin kind %s, LP64\n", SKH_OBSERVER_KIND);
  STRUCT(skh_use);
  FIELD(skh_use, size, uint32_t);
  FIELD(skh_use, kind, uint32_t);
  FIELD(skh_use, time_ms, int64_t);
  FIELD(skh_use, microseconds, uint32_t);
  FIELD(skh_use, reserved, uint32_t);
  FIELD(skh_use, skill, skh_str);
  FIELD(skh_use, source, skh_str);
  FIELD(skh_use, path, skh_str);
  FIELD(skh_use, digest, skh_str);
  FIELD(skh_use, issuer, skh_str);
  FIELD(skh_use, person, skh_str);
  FIELD(skh_use, client, skh_str);
  FIELD(skh_use, outcome, skh_str);
  FIELD(skh_use, text, skh_str);
  STRUCT(skh_audit_record);
  FIELD(skh_audit_record, size, uint32_t);
  FIELD(skh_audit_record, reserved, uint32_t);
  FIELD(skh_audit_record, time_ms, int64_t);
  FIELD(skh_audit_record, event, skh_str);
  FIELD(skh_audit_record, record_json, skh_str);
  STRUCT(skh_log_record);
  FIELD(skh_log_record, size, uint32_t);
  FIELD(skh_log_record, level, int32_t);
  FIELD(skh_log_record, time_ms, int64_t);
  FIELD(skh_log_record, part, skh_str);
  FIELD(skh_log_record, message, skh_str);
  FIELD(skh_log_record, fields_json, skh_str);
  STRUCT(skh_observer);
  FIELD(skh_observer, size, uint32_t);
  FIELD(skh_observer, wants, uint32_t);
  FIELD(skh_observer, call_ended, skh_status(*)(void *, const skh_call *, const skh_use *));
  FIELD(skh_observer, refused, skh_status(*)(void *, const skh_call *, const skh_use *));
  FIELD(skh_observer, audit_record,
        skh_status(*)(void *, const skh_call *, const skh_audit_record *));
  FIELD(skh_observer, catalogue_changed, skh_status(*)(void *, const skh_call *, uint64_t));
  FIELD(skh_observer, log_record, skh_status(*)(void *, const skh_call *, const skh_log_record *));
  FIELD(skh_observer, lost, skh_status(*)(void *, const skh_call *, uint32_t, uint64_t));
  FIELD(skh_observer, flush, skh_status(*)(void *, const skh_call *));
  CONSTANT(SKH_EVENT_CALL_ENDED);
  CONSTANT(SKH_EVENT_REFUSED);
  CONSTANT(SKH_EVENT_CATALOGUE_CHANGED);
  CONSTANT(SKH_EVENT_AUDIT_RECORD);
  CONSTANT(SKH_EVENT_LOG_RECORD);
  CONSTANT(SKH_USE_LOAD);
  CONSTANT(SKH_USE_READ);
  CONSTANT(SKH_USE_SEARCH);
  CONSTANT(SKH_USE_REFUSAL);
  return 0;
}
