/* SPDX-License-Identifier: Apache-2.0
 * The one document of a good listing, for fixtures that name it wrongly.
 */
#pragma once

#include "misbehaving.h"

static inline skh_document good_document(void) {
  skh_document entry = {sizeof entry, SKH_DOC_ENTRY, {0}, {0}, {0}, sizeof HELLO_TEXT - 1, {0}};
  entry.skill = text_of("hello");
  entry.path = text_of("SKILL.md");
  entry.revision = text_of("1");
  return entry;
}
