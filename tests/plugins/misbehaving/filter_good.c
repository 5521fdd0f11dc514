/* SPDX-License-Identifier: Apache-2.0 */
/* This filter keeps the rules. */
#include "small_filter.h"

SMALL_FILTER("filter_good");
