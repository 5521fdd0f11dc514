/* SPDX-License-Identifier: Apache-2.0
 * Macros that print structs for the frozen layouts. print_layout.c specifies the lines.
 */
#ifndef SKILLHOST_ABI_LAYOUT_H
#define SKILLHOST_ABI_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

#define STRUCT(type) printf("%s sizeof - %zu\n", #type, sizeof(type))

/* The size alone would not reveal a field of another type, so the type is written down as well. */
#define FIELD(type, field, ...)                                                                    \
  do {                                                                                             \
    _Static_assert(_Generic(((type *)0)->field, __VA_ARGS__: 1, default: 0),                       \
                   "the type of " #type "." #field " has changed");                                \
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is what is asked for */   \
    const size_t width = sizeof(((type *)0)->field);                                               \
    printf("%s %s %zu %zu %s\n", #type, #field, offsetof(type, field), width, #__VA_ARGS__);       \
  } while (0)

#define CONSTANT(name) printf("constant %s %lld\n", #name, (long long)(name))

/* Prints the text that identifies an interface. */
#define ID(name) printf("id %s %s\n", #name, name)

#endif
