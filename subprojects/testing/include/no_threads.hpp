// SPDX-License-Identifier: Apache-2.0
// Prevents the start of any thread during its lifetime, because each would need a stack that no
// machine has.
#pragma once

#include <pthread.h>

#include <cstddef>

namespace skillhost {

class NoThreads {
public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 47U);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads &) = delete;
  NoThreads &operator=(const NoThreads &) = delete;

private:
  pthread_attr_t before_{};
};

} // namespace skillhost
