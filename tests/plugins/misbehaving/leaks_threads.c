/* SPDX-License-Identifier: Apache-2.0
 * create() starts a thread that nobody ends. The host cannot notice it, and must stop in order all
 * the same.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <pthread.h>
#include <unistd.h>

static void *run(void *nothing) {
  for (;;) pause();
  return nothing;
}

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, &run, NULL) == 0) pthread_detach(thread);
  return hello_create(host, call, self);
}

MISBEHAVING_LIFE("leaks_threads", &create, &hello_destroy);
