/* SPDX-License-Identifier: Apache-2.0
 * held() includes entries that no commit has made visible. The host would not put them again.
 */
#define HELD(entry) ((entry).committed || (entry).pending)
#include "small_search.h"

MISBEHAVING_SEARCH("search_held_before_commit");
