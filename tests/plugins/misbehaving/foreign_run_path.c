/* SPDX-License-Identifier: Apache-2.0
 * Linked with -rpath: it takes its libraries from a folder that belongs to whoever made it.
 */
#include "misbehaving.h"

MISBEHAVING_LIFE("foreign_run_path", &hello_create, &hello_destroy);
