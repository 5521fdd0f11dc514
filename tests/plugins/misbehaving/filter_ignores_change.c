/* SPDX-License-Identifier: Apache-2.0 */
/* This filter asks for its upstream and then serves a skill of its own alone. */
#define LIST hello_list
#define READ hello_read
#include "one_skill.h"
#include "small_filter.h"

SMALL_FILTER("filter_ignores_change");
