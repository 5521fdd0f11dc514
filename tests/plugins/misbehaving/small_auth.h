/* SPDX-License-Identifier: Apache-2.0
 * An auth plugin that knows one token, "good-token". Fixtures replace one of its functions.
 */
#pragma once

#include "misbehaving.h"

static inline skh_status small_check(void *self, const skh_call *call) {
  (void)self;
  (void)call;
  return SKH_OK;
}

static inline skh_status small_accept(const skh_principals *out) {
  static const skh_str scope = {"skills:read", sizeof "skills:read" - 1};
  skh_principal principal = {sizeof principal, 1, &scope, {0}, {0}, {0}, 0, 0, 0};
  principal.subject = text_of("somebody");
  principal.issuer = text_of("test");
  principal.claims = text_of("{\"team\": \"tests\"}");
  return out->accept(out, &principal);
}

static inline skh_status small_validate(void *self, const skh_call *call,
                                        const skh_credential *credential,
                                        const skh_principals *out) {
  (void)self;
  if (same_text(credential->value, "good-token")) return small_accept(out);
  call->fail(call, text_of("the token is not known"));
  return SKH_DENIED;
}

static inline skh_status small_describe(void *self, const skh_call *call, const skh_bytes *out) {
  (void)self;
  (void)call;
  return out->write(out, "{}", 2);
}

#define MISBEHAVING_AUTH(fault, flags, check, validate, create)                                    \
  MISBEHAVING_AUTH_WITH(fault, flags, check, validate, create, NULL)
#define MISBEHAVING_AUTH_WITH(fault, flags, check, validate, create, extension)                    \
  static const skh_auth auth = {sizeof(skh_auth), 0, check, validate, &small_describe};            \
  static const skh_plugin plugin = {sizeof(skh_plugin),                                            \
                                    flags,                                                         \
                                    "skh.auth/1",                                                  \
                                    "test.misbehaving." fault,                                     \
                                    "1.0.0",                                                       \
                                    "Misbehaves, for tests",                                       \
                                    "Apache-2.0",                                                  \
                                    NULL,                                                          \
                                    &auth,                                                         \
                                    create,                                                        \
                                    &hello_destroy,                                                \
                                    extension};                                                    \
  static const skh_plugin *const plugins[] = {&plugin, NULL};                                      \
  const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins}
