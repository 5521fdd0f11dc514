/* SPDX-License-Identifier: Apache-2.0
 * query() finds entries that have been put and are not yet committed.
 */
#define SEEN(entry) (entry).pending
#include "small_search.h"

MISBEHAVING_SEARCH("search_visible_before_commit");
