/* SPDX-License-Identifier: Apache-2.0
 * read() forks a child that holds every descriptor open and outlives the call (for a minute). The
 * host must not wait for it, nor regard its open descriptors as a sign of life.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <signal.h>
#include <unistd.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  if (fork() == 0) {
    signal(SIGTERM, SIG_IGN);
    alarm(60);
    for (;;) pause();
  }
  return hello_read(self, call, which, out);
}

MISBEHAVING_SOURCE("forks", &hello_list, &read_document);
