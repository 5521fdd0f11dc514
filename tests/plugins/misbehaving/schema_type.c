/* SPDX-License-Identifier: Apache-2.0
 * Its config_schema names a type that JSON does not have. The host refuses every configuration that
 * it compares with that, and gives the reason.
 */
#include "misbehaving.h"

MISBEHAVING("skh.source/1", "schema_type", "{\"properties\": {\"url\": {\"type\": \"objekt\"}}}",
            &hello_source, &hello_create, &hello_destroy, NULL);
