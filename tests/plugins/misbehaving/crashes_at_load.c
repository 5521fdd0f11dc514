/* SPDX-License-Identifier: Apache-2.0
 * Its constructor aborts, so that looking at the file is already deadly. Only a scan in a child
 * survives it: the file is then "crashed at scan" and not tried again.
 */
#include "misbehaving.h"

#include <stdlib.h>

__attribute__((constructor)) static void begin(void) { abort(); }

MISBEHAVING_LIFE("crashes_at_load", &hello_create, &hello_destroy);
