/* SPDX-License-Identifier: Apache-2.0
 * Its config_schema refers to a definition that is not there. The host refuses every configuration
 * that it compares with that, and gives the reason.
 */
#include "misbehaving.h"

MISBEHAVING("skh.source/1", "schema_reference",
            "{\"properties\": {\"url\": {\"$ref\": \"#/definitions/url\"}}}", &hello_source,
            &hello_create, &hello_destroy, NULL);
