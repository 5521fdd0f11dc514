/* SPDX-License-Identifier: Apache-2.0
 * Its constructor aborts, so the mere examination of the file kills the process. Only a scan in a
 * child survives it: the file is then "crashed at scan" and not tried again.
 */
#include "misbehaving.h"

#include <stdlib.h>

__attribute__((constructor)) static void begin(void) { abort(); }

MISBEHAVING_LIFE("crashes_at_load", &hello_create, &hello_destroy);
