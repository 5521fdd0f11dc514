/* SPDX-License-Identifier: Apache-2.0 */
/* This observer has no fault. Each other one differs from it by a fault. */
#include "small_observer.h"

SMALL_OBSERVER("observer_good");
