/* SPDX-License-Identifier: Apache-2.0
 * Drives an auth plugin as a host would, with nothing but plugin.h and dlopen. Prints one line for
 * each call; exits with 1 and prints a line on stderr for each broken rule.
 *
 *   drive_auth PLUGIN.so CONFIGURATION <CALLS
 *
 * CALLS are lines: "check", "describe", or "validate SCHEME RESOURCE VALUE" with tabs in between.
 */
#include "recorder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST_CANARY = 8 };

static int broken_rules;
static const char *secret = ""; /* the value of the credential being checked */

static void expect(bool holds, const char *rule) {
  if (holds) return;
  ++broken_rules;
  fprintf(stderr, "BROKEN: %s\n", rule);
}

static skh_str text_of(const char *text) {
  const skh_str view = {text, strlen(text)};
  return view;
}

static void expect_discreet(const char *text) {
  expect(strlen(secret) < SHORTEST_CANARY || strstr(text, secret) == NULL,
         "a credential is never repeated");
}

static void host_log(const skh_host *host, int32_t level, skh_str message) {
  (void)host;
  char *text = copy_text(message);
  expect_discreet(text);
  fprintf(stderr, "log %d: %s\n", level, text);
  free(text);
}
static void host_metric(const skh_host *host, int32_t kind, skh_str name, double value) {
  (void)host, (void)kind, (void)name, (void)value;
}
static void host_changed(const skh_host *host) { (void)host; }
static const void *host_extension(const skh_host *host, const char *id) {
  (void)host, (void)id;
  return NULL;
}

struct principal_recorder {
  skh_principals sink; /* first: the plugin's pointer to it leads back here */
  unsigned accepted;
};

static skh_status accept(const skh_principals *sink, const skh_principal *who) {
  struct principal_recorder *recorder = (struct principal_recorder *)(uintptr_t)sink;
  ++recorder->accepted;
  expect(who->size >= sizeof *who && who->subject.size > 0, "a principal has a subject");
  printf("principal %.*s of %.*s, claims %.*s, cached %u s, scopes", (int)who->subject.size,
         who->subject.data, (int)who->issuer.size, who->issuer.data, (int)who->claims.size,
         who->claims.data, who->cache_seconds);
  for (uint32_t index = 0; index < who->scope_count; ++index)
    printf(" %.*s", (int)who->scopes[index].size, who->scopes[index].data);
  printf("\n");
  return SKH_OK;
}

static void conclude(const char *what, skh_status status, const struct test_call *context) {
  expect_discreet(context->message);
  printf("%s %d%s%s\n", what, status, status == SKH_OK ? "" : ": ",
         status == SKH_OK ? "" : context->message);
}

static void drive_validate(const skh_auth *auth, void *self, char *arguments) {
  char *scheme = strtok(arguments, "\t");
  char *resource = strtok(NULL, "\t");
  char *value = strtok(NULL, "");
  secret = value == NULL ? "" : value;
  const skh_credential credential = {.size = sizeof credential,
                                     .scheme = text_of(scheme == NULL ? "" : scheme),
                                     .value = text_of(secret),
                                     .resource = text_of(resource == NULL ? "" : resource),
                                     .peer = text_of("127.0.0.1:1")};
  struct principal_recorder out = {.sink = {sizeof out.sink, 0, &accept}};
  struct test_call context = begin_call(false);
  const skh_status status = auth->validate(self, &context.call, &credential, &out.sink);
  expect(out.accepted == (status == SKH_OK ? 1 : 0), "accept() comes once, and only with SKH_OK");
  conclude("validate", status, &context);
  secret = "";
}

static void drive_describe(const skh_auth *auth, void *self) {
  struct byte_recorder out = record_bytes(SIZE_MAX);
  struct test_call context = begin_call(false);
  const skh_status status = auth->describe(self, &context.call, &out.sink);
  printf("described %.*s\n", (int)out.size, out.data == NULL ? "" : out.data);
  conclude("describe", status, &context);
  free_bytes(&out);
}

static void drive_auth(const skh_auth *auth, void *self) {
  char *line = NULL;
  size_t room = 0;
  for (ssize_t size = 0; (size = getline(&line, &room, stdin)) > 0;) {
    if (line[size - 1] == '\n') line[size - 1] = '\0';
    struct test_call context = begin_call(false);
    if (strcmp(line, "check") == 0)
      conclude("check", auth->check(self, &context.call), &context);
    else if (strcmp(line, "describe") == 0)
      drive_describe(auth, self);
    else if (strncmp(line, "validate\t", 9) == 0)
      drive_validate(auth, self, line + 9);
    else
      expect(false, "a call is check, describe or validate");
    fflush(stdout);
  }
  free(line);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s PLUGIN.so CONFIGURATION <CALLS\n", argv[0]);
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const skh_entry *entry = library == NULL ? NULL : dlsym(library, SKH_ENTRY_SYMBOL);
  if (entry == NULL || entry->magic != SKH_MAGIC) {
    fprintf(stderr, "%s: no entry this program can use\n", argv[1]);
    return 2;
  }
  const skh_plugin *plugin = entry->plugins[0];
  expect(plugin != NULL && strcmp(plugin->kind, "skh.auth/1") == 0, "this is an auth plugin");
  if (broken_rules != 0) return 1;
  const skh_host host = {.size = sizeof host,
                         .abi_minor = SKH_ABI_MINOR,
                         .name = text_of("drive_auth"),
                         .version = text_of("1"),
                         .instance = text_of("test"),
                         .config = text_of(argv[2]),
                         .log = &host_log,
                         .metric = &host_metric,
                         .changed = &host_changed,
                         .extension = &host_extension};
  struct test_call context = begin_call(false);
  void *self = NULL;
  const skh_status status = plugin->create(&host, &context.call, &self);
  conclude("create", status, &context);
  if (status != SKH_OK) return 1;
  drive_auth(plugin->ops, self);
  plugin->destroy(self);
  return broken_rules == 0 ? 0 : 1;
}
