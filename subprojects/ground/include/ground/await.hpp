// SPDX-License-Identifier: Apache-2.0
// Waits on this thread for an answer from a callback, which may run on any thread or within the
// call that asks. The promise is shared with the callback, because the answering thread may still
// be in set_value() when the wait ends.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <utility>

namespace skillhost {

// Calls ask(answer) and returns the T that answer() receives. `answer` is called once. Throws
// std::future_error if it is dropped instead.
template <class T, class Ask> T awaitAnswer(Ask &&ask) {
  auto promise = std::make_shared<std::promise<T>>();
  std::future<T> answer = promise->get_future();
  std::forward<Ask>(ask)(
      [promise = std::move(promise)](T value) { promise->set_value(std::move(value)); });
  return answer.get();
}

// Calls ask(done) and waits until done() is called once or dropped. Its arguments are ignored.
template <class Ask> void awaitDone(Ask &&ask) {
  auto promise = std::make_shared<std::promise<void>>();
  const std::future<void> done = promise->get_future();
  std::forward<Ask>(ask)([promise = std::move(promise)](auto &&...) { promise->set_value(); });
  done.wait();
}

// Like awaitDone(), but waits for at most `span`. Returns false if done() was not called by then;
// it may be called later.
template <class Ask> bool awaitDoneFor(std::chrono::milliseconds span, Ask &&ask) {
  auto promise = std::make_shared<std::promise<void>>();
  const std::future<void> done = promise->get_future();
  std::forward<Ask>(ask)([promise = std::move(promise)](auto &&...) { promise->set_value(); });
  return done.wait_for(span) == std::future_status::ready;
}

} // namespace skillhost
