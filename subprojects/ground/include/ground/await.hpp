// SPDX-License-Identifier: Apache-2.0
// Waits on this thread for an answer that comes by a callback: on any thread, or before the call
// that asks returns. The promise is shared with the callback, because the thread that answers may
// still be in set_value() when the wait is over.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <utility>

namespace skillhost {

// Calls ask(answer) and returns the T that answer() is called with. `answer` is called once; throws
// std::future_error when it is dropped instead.
template <class T, class Ask> T awaitAnswer(Ask &&ask) {
  auto promise = std::make_shared<std::promise<T>>();
  std::future<T> answer = promise->get_future();
  std::forward<Ask>(ask)(
      [promise = std::move(promise)](T value) { promise->set_value(std::move(value)); });
  return answer.get();
}

// Calls ask(done) and waits until done() is called, once, or dropped; its arguments do not matter.
template <class Ask> void awaitDone(Ask &&ask) {
  auto promise = std::make_shared<std::promise<void>>();
  const std::future<void> done = promise->get_future();
  std::forward<Ask>(ask)([promise = std::move(promise)](auto &&...) { promise->set_value(); });
  done.wait();
}

// The same for at most `span`. Returns false if done() is not called by then; it may be later.
template <class Ask> bool awaitDoneFor(std::chrono::milliseconds span, Ask &&ask) {
  auto promise = std::make_shared<std::promise<void>>();
  const std::future<void> done = promise->get_future();
  std::forward<Ask>(ask)([promise = std::move(promise)](auto &&...) { promise->set_value(); });
  return done.wait_for(span) == std::future_status::ready;
}

} // namespace skillhost
