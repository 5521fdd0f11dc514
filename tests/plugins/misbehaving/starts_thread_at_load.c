/* SPDX-License-Identifier: Apache-2.0
 * Its constructor starts a thread, which then runs in every process that only examines the file.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <pthread.h>
#include <unistd.h>

static void *run(void *nothing) {
  while (pause() != 0) {}
  return nothing;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, &run, NULL) == 0) pthread_detach(thread);
}

MISBEHAVING_LIFE("starts_thread_at_load", &hello_create, &hello_destroy);
