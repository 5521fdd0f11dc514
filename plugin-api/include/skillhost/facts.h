/* SPDX-License-Identifier: Apache-2.0
 * skillhost/facts.h - what a source knows of its skills besides their documents, version 1:
 * optional, for sources that have verified something. It adds nothing to plugin.h, whose rules
 * hold.
 *
 * skh_plugin.extension(self, SKH_FACTS) answers with a table that is valid until exit, or NULL. The
 * host shows what it is told as it is, to clients too, under the source's name: it believes a
 * source neither more nor less for it.
 */
#ifndef SKILLHOST_FACTS_H
#define SKILLHOST_FACTS_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_FACTS "skh.facts/1"
#define SKH_FACTS_MAGIC 0x54434146u /* "FACT" read as little endian */

typedef struct skh_facts {
  uint32_t size, magic; /* SKH_FACTS_MAGIC: this is what was asked for, and nothing else */
  /* Writes one JSON object: by skill, as list() names it, an object of facts, of all skills of
   * `snapshot` of which there are any. list() or changes() has just named that snapshot; when other
   * facts hold, it is another one.
   *   {"pdf": {"integrity": "blake3", "signature": "trusted", "signer": "3f0a91c2"}}
   * A fact has a name of a-z 0-9 . _ - with a letter first, at most 64, and is true or false, a
   * number or a text of at most 1,000 bytes; a skill has at most 16, all together 16 MiB. The host
   * leaves out what breaks this. Names that mean the same everywhere: "integrity" says how bytes
   * are verified, "signature" is "trusted", "untrusted" (by nobody who is trusted), "none" or
   * "unchecked", "signer" names the key.
   * SKH_UNSUPPORTED: there is nothing to say. [worker] */
  skh_status (*facts)(void *self, const skh_call *, skh_str snapshot,
                      const skh_bytes *out) SKH_NOEXCEPT;
} skh_facts;
/* May a host call it? Of whatever extension() has answered. */
#define SKH_IS_FACTS(table)                                                                        \
  ((table) && SKH_HAS(table, facts) && (table)->magic == SKH_FACTS_MAGIC && (table)->facts)

#ifdef __cplusplus
}
#endif
#endif
