/* SPDX-License-Identifier: Apache-2.0
 * skillhost/caller.h - who is asking besides the token: a verified client certificate, and header
 * fields that the host was told to hand on. Version 1: optional, for auth plugins. It adds nothing
 * to plugin.h, whose rules hold.
 *
 * skh_plugin.extension(self, SKH_CALLER) answers with a table that is valid until exit, or NULL. A
 * plugin without it is asked about tokens alone.
 */
#ifndef SKILLHOST_CALLER_H
#define SKILLHOST_CALLER_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_CALLER "skh.caller/1"
#define SKH_CALLER_MAGIC 0x524C4143u /* "CALR" read as little endian */

/* Of a TLS client, verified by the host against the authorities of its configuration: signature,
 * dates, purpose. Texts of the certificate that are not valid UTF-8 or hold control characters do
 * not get here. */
typedef struct skh_certificate {
  uint32_t size, name_count;
  skh_str subject;      /* RFC 4514: "CN=ada,O=House"; may be empty */
  skh_str issuer;       /* the same */
  const skh_str *names; /* "dns:…", "email:…", "uri:…", "ip:…", as the certificate orders them */
  skh_str sha256;       /* of its DER form: 64 digits of 0-9 a-f */
  int64_t expires_at;   /* Unix seconds; 0: it cannot be read, which is not the same as never */
} skh_certificate;

typedef struct skh_caller {
  uint32_t size, header_count;
  /* scheme "bearer": there is a token. "mtls": there is none, but a certificate; the value is its
   * sha256. "none": neither, only headers. */
  const skh_credential *credential;
  const skh_certificate *certificate; /* or NULL; beside a token too */
  const skh_str *headers; /* 2 * header_count: each name in lower case, then its value, which is
                           * secret. A field that came twice is here twice. */
} skh_caller;

typedef struct skh_callers {
  uint32_t size, magic; /* SKH_CALLER_MAGIC: this is what was asked for, and nothing else */
  /* As skh_auth.validate. SKH_UNSUPPORTED: ask that one, when there is a token. [worker] */
  skh_status (*validate)(void *self, const skh_call *, const skh_caller *,
                         const skh_principals *out) SKH_NOEXCEPT;
} skh_callers;
/* May a host call it? Of whatever extension() has answered. */
#define SKH_IS_CALLERS(table)                                                                      \
  ((table) && SKH_HAS(table, validate) && (table)->magic == SKH_CALLER_MAGIC && (table)->validate)

#ifdef __cplusplus
}
#endif
#endif
