/* SPDX-License-Identifier: Apache-2.0
 * skillhost/caller.h - describes who is asking beyond the token: a verified client certificate, and
 * header fields that the host is configured to pass on. Version 1: optional, for auth plugins. It
 * adds nothing to plugin.h, whose rules apply.
 *
 * skh_plugin.extension(self, SKH_CALLER) returns a table that is valid until exit, or NULL. A
 * plugin without the table is only asked about tokens.
 */
#ifndef SKILLHOST_CALLER_H
#define SKILLHOST_CALLER_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_CALLER "skh.caller/1"
#define SKH_CALLER_MAGIC 0x524C4143u /* "CALR" read as little endian */

/* The certificate of a TLS client. The host has verified its signature, dates and purpose against
 * the authorities in the configuration. The host omits texts of the certificate that are not valid
 * UTF-8 or contain control characters. */
typedef struct skh_certificate {
  uint32_t size, name_count;
  skh_str subject;      /* RFC 4514: "CN=ada,O=House"; may be empty */
  skh_str issuer;       /* the same */
  const skh_str *names; /* "dns:…", "email:…", "uri:…", "ip:…", in the order of the certificate */
  skh_str sha256;       /* digest of its DER form: 64 digits of 0-9 a-f */
  int64_t expires_at;   /* Unix seconds; 0: unreadable, which does not mean never */
} skh_certificate;

typedef struct skh_caller {
  uint32_t size, header_count;
  /* The scheme is "bearer" if there is a token; "mtls" if there is no token but a certificate, and
   * then the value is its sha256; "none" if there are only headers. */
  const skh_credential *credential;
  const skh_certificate *certificate; /* may be NULL; may be present beside a token */
  const skh_str *headers; /* 2 * header_count texts: each name in lower case, then its value, which
                           * is secret. A field that was sent twice appears twice. */
} skh_caller;

typedef struct skh_callers {
  uint32_t size, magic; /* SKH_CALLER_MAGIC proves that this is the requested table */
  /* Works as skh_auth.validate. If it returns SKH_UNSUPPORTED and there is a token, the host calls
   * skh_auth.validate instead. [worker] */
  skh_status (*validate)(void *self, const skh_call *, const skh_caller *,
                         const skh_principals *out) SKH_NOEXCEPT;
} skh_callers;
/* True if a host may call the table that extension() has returned. */
#define SKH_IS_CALLERS(table)                                                                      \
  ((table) && SKH_HAS(table, validate) && (table)->magic == SKH_CALLER_MAGIC && (table)->validate)

#ifdef __cplusplus
}
#endif
#endif
