/* SPDX-License-Identifier: Apache-2.0
 * Forgets the revision of each entry. The host would put everything again, or worse.
 */
#define REVISION(entry) "1"
#include "small_search.h"

MISBEHAVING_SEARCH("search_held_other_revision");
