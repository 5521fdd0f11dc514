/* SPDX-License-Identifier: Apache-2.0 */
/* This source states 17 facts of one skill. */
#define FACTS                                                                                      \
  "{\"hello\": {"                                                                                  \
  "\"f0\": 0,"                                                                                     \
  "\"f1\": 1,"                                                                                     \
  "\"f2\": 2,"                                                                                     \
  "\"f3\": 3,"                                                                                     \
  "\"f4\": 4,"                                                                                     \
  "\"f5\": 5,"                                                                                     \
  "\"f6\": 6,"                                                                                     \
  "\"f7\": 7,"                                                                                     \
  "\"f8\": 8,"                                                                                     \
  "\"f9\": 9,"                                                                                     \
  "\"f10\": 10,"                                                                                   \
  "\"f11\": 11,"                                                                                   \
  "\"f12\": 12,"                                                                                   \
  "\"f13\": 13,"                                                                                   \
  "\"f14\": 14,"                                                                                   \
  "\"f15\": 15,"                                                                                   \
  "\"f16\": 16"                                                                                    \
  "}}"
#include "small_facts.h"

MISBEHAVING_FACTS("facts_too_many");
