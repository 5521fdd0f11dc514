/* SPDX-License-Identifier: Apache-2.0
 * skillhost/facts.h - lets a source state facts about its skills in addition to their documents:
 * where they come from and how they were verified. Version 1: optional. It adds nothing to
 * plugin.h, whose rules apply.
 *
 * skh_plugin.extension(self, SKH_FACTS) returns a table that is valid until exit, or NULL. The host
 * shows the facts unchanged, to clients as well, under the source's name. They do not change how
 * far the host trusts the source.
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
  uint32_t size, magic; /* SKH_FACTS_MAGIC proves that this is the requested table */
  /* Writes one JSON object: for each skill of `snapshot` with facts, named as in list(), an object
   * of its facts. list() or changes() has just named that snapshot. If facts change, the snapshot
   * must get another name.
   *   {"*": {"kind": "git", "repository": "https://git.example.org/skills", "path": "tools"},
   *    "pdf": {"signature": "trusted", "signer": "3f0a91c2"}}
   * Facts under "*" apply to all skills and are not repeated under single skills. Use it for facts
   * that another snapshot changes for all skills, such as the commit, because the host then reads
   * no skill again. If "*" has a "path", such as "tools" or ".", the host appends the name of each
   * skill to get the skill's path, unless the skill has a "path" of its own. A host that does not
   * know "*" does not show these facts.
   *
   * The name of a fact consists of a-z 0-9 . _ - and begins with a letter; it has at most 64
   * characters. The value is true or false, a number or a text of at most 1,000 bytes. A skill has
   * at most 16 facts, and the whole object at most 16 MiB. The host omits what breaks these rules.
   * A fact must not contain a secret, such as the password in an address. These names have the same
   * meaning for every source:
   *   "kind"             origin of the skill: "git", "oci", "well-known", "mcp", "store" or
   *                      "folder"
   *   "repository"       address of the repository
   *   "ref", "commit"    the followed reference, and all digits of the served commit
   *   "path"             path of the skill in the repository or artefact, "." for its root
   *   "reference"        the followed reference of an artefact in an OCI registry
   *   "manifest_digest"  digest of the manifest that it named: "sha256:" and 64 hexadecimal digits
   *   "index"            address of the index that named the skill
   *   "index_digest"     digest of the index from which this snapshot was made
   *   "archive"          address of the file that contained the skill
   *   "archive_digest"   digest of this file, or of the layer of the artefact
   *   "server"           address of the MCP server that listed the skill, "uri": its URI there
   *   "version"          number or name that the origin gives to this version
   *   "origin"           where the origin had got the skill from, for people
   *   "checksum"         in a store, the checksum of the version; "content": digest of its files
   *   "fetched_at"       time of fetching, or of saving in a store, as in RFC 3339, in UTC
   *   "integrity"        how the bytes are verified: "sha1" (git's ids), "sha256", "blake3", "none"
   *   "signature"        "trusted", "untrusted" (no trusted signer), "none" or "unchecked"
   *   "signer"           name of the key
   * A text that begins with "/" or "file:" is treated as a path on this machine: the host does not
   * show it to clients on other machines, unless they may manage the host.
   * Returns SKH_UNSUPPORTED if there are no facts. [worker] */
  skh_status (*facts)(void *self, const skh_call *, skh_str snapshot,
                      const skh_bytes *out) SKH_NOEXCEPT;
} skh_facts;
/* True if a host may call the table that extension() has returned. */
#define SKH_IS_FACTS(table)                                                                        \
  ((table) && SKH_HAS(table, facts) && (table)->magic == SKH_FACTS_MAGIC && (table)->facts)

#ifdef __cplusplus
}
#endif
#endif
