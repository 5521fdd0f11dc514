/* SPDX-License-Identifier: Apache-2.0
 * skillhost/facts.h - what a source knows of its skills besides their documents, version 1:
 * optional: where they come from, and how they were verified. It adds nothing to plugin.h, whose
 * rules hold.
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
   *   {"*": {"kind": "git", "repository": "https://git.example.org/skills", "path": "tools"},
   *    "pdf": {"signature": "trusted", "signer": "3f0a91c2"}}
   * What stands under "*" holds for all skills, and not again under one of them: state there what
   * another snapshot changes for all, such as the commit, for the host then reads no skill anew. Of
   * the "path" there, such as "tools" or ".", the host makes that of each skill by joining the
   * skill's name to it; a skill may have a "path" of its own in its place. A host that knows no "*"
   * shows nothing of it.
   *
   * A fact has a name of a-z 0-9 . _ - with a letter first, at most 64, and is true or false, a
   * number or a text of at most 1,000 bytes; a skill has at most 16, all together 16 MiB. The host
   * leaves out what breaks this. No fact holds a secret, such as the password of an address. Names
   * that mean the same everywhere:
   *   "kind"             what it came from: "git", "oci", "well-known", "store" or "folder"
   *   "repository"       the address of the repository
   *   "ref", "commit"    what of it is followed, and all digits of the commit that is served
   *   "path"             of the skill in the repository or the artefact, "." for its root
   *   "reference"        of an artefact in an OCI registry, as it is followed
   *   "manifest_digest"  of what that reference named: "sha256:" and 64 hexadecimal digits
   *   "index"            the address of the index that named the skill
   *   "index_digest"     of the index at the time when this snapshot was made of it
   *   "archive"          the address of the file that the skill came in
   *   "archive_digest"   of this file, or of the layer of the artefact
   *   "version"          the number or name that the place it came from gives it
   *   "origin"           where it had come from before, for people
   *   "checksum"         of a version in a store, "content" the digest of its files
   *   "fetched_at"       when it was fetched, or saved in a store, as RFC 3339 writes it, in UTC
   *   "integrity"        how the bytes are verified: "sha1" (git's ids), "sha256", "blake3", "none"
   *   "signature"        "trusted", "untrusted" (by nobody who is trusted), "none" or "unchecked"
   *   "signer"           names the key
   * A text that begins with "/" or "file:" is taken for a path of this machine: clients on other
   * machines are not shown it, unless they may manage the host.
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
