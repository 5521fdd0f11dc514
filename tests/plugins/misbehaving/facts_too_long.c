/* SPDX-License-Identifier: Apache-2.0 */
/* This source states a fact of 1,010 bytes. */
#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
#define FACTS "{\"hello\": {\"note\": \"" THOUSAND TEN "\"}}"
#include "small_facts.h"

MISBEHAVING_FACTS("facts_too_long");
