/* SPDX-License-Identifier: Apache-2.0
 * Its first read() starts a thread that still runs when destroy() has returned.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static void *run(void *nothing) {
  while (pause() != 0) {}
  return nothing;
}

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  static atomic_flag started = ATOMIC_FLAG_INIT;
  pthread_t thread;
  if (!atomic_flag_test_and_set(&started) && pthread_create(&thread, NULL, &run, NULL) == 0)
    pthread_detach(thread);
  return hello_read(self, call, which, out);
}

MISBEHAVING_SOURCE("runs_after_destroy", &hello_list, &read_document);
