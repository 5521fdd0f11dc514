/* SPDX-License-Identifier: Apache-2.0 */
/* It wants lines of the log, and has no function for them. */
#define WANTS (SKH_EVENT_CALL_ENDED | SKH_EVENT_AUDIT_RECORD | SKH_EVENT_LOG_RECORD)
#include "small_observer.h"

SMALL_OBSERVER("observer_lacks_function");
