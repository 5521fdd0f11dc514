/* SPDX-License-Identifier: Apache-2.0 */
/* This observer wants lines of the log, but has no function for them. */
#define WANTS (SKH_EVENT_CALL_ENDED | SKH_EVENT_AUDIT_RECORD | SKH_EVENT_LOG_RECORD)
#include "small_observer.h"

SMALL_OBSERVER("observer_lacks_function");
