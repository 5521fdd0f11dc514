/* SPDX-License-Identifier: Apache-2.0 */
/* This source states a fact whose name has a capital letter. */
#define FACTS "{\"hello\": {\"Signature\": \"trusted\"}}"
#include "small_facts.h"

MISBEHAVING_FACTS("facts_bad_name");
