/* SPDX-License-Identifier: Apache-2.0
 * create() installs handlers for SIGTERM, SIGINT, SIGCHLD and SIGPIPE. In a process of its own the
 * host must still be able to end it.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <signal.h>

static void ignore(int number) { (void)number; }

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  signal(SIGTERM, &ignore);
  signal(SIGINT, &ignore);
  signal(SIGCHLD, &ignore);
  signal(SIGPIPE, SIG_DFL);
  return hello_create(host, call, self);
}

MISBEHAVING_LIFE("installs_signal_handlers", &create, &hello_destroy);
