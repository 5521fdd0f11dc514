/* SPDX-License-Identifier: Apache-2.0 */
/* This source has no fault. Each other source of facts differs from it by a fault. */
#define FACTS "{\"hello\": {\"signature\": \"trusted\", \"age.days\": 3}}"
#include "small_facts.h"

MISBEHAVING_FACTS("facts_good");
