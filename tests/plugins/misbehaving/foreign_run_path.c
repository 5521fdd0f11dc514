/* SPDX-License-Identifier: Apache-2.0
 * Linked with -rpath: it loads its libraries from a folder of its builder.
 */
#include "misbehaving.h"

MISBEHAVING_LIFE("foreign_run_path", &hello_create, &hello_destroy);
