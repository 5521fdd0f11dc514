// SPDX-License-Identifier: Apache-2.0
#include "mailbox.hpp"

#include "base/log.hpp"

#include <sys/eventfd.h>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <utility>

namespace skillhost::http {
namespace {

thread_local const Mailbox *current = nullptr;

template <class Function> void carryOut(const Function &function) noexcept {
  try {
    function();
  } catch (const std::exception &why) {
    log::failure("http", {"a message between threads is lost"}, why);
  }
}

} // namespace

Mailbox::Mailbox() : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) throw std::runtime_error("eventfd: no descriptor left");
}

void Mailbox::post(Letter letter) {
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return;
    letters_.push_back(std::move(letter));
    if (letters_.size() > 1) return; // already woken
  }
  wake();
}

void Mailbox::post(std::shared_ptr<Errand> errand) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return;
    errand->next_ = std::move(errands_);
    errands_ = std::move(errand);
  }
  wake();
}

void Mailbox::wake() noexcept {
  const std::uint64_t one = 1;
  // This write only fails if the counter is full, and then the loop is already awake.
  [[maybe_unused]] const ssize_t written = ::write(wake_.number(), &one, sizeof one);
}

bool Mailbox::mine() const noexcept { return current == this; }
void Mailbox::enter() noexcept { current = this; }
void Mailbox::leave() noexcept { current = nullptr; }

void Mailbox::open() noexcept {
  std::uint64_t times = 0;
  [[maybe_unused]] const ssize_t read = ::read(wake_.number(), &times, sizeof times);
  std::vector<Letter> letters;
  std::shared_ptr<Errand> errand;
  {
    const std::scoped_lock lock(mutex_);
    letters.swap(letters_);
    errand.swap(errands_);
  }
  for (Letter &letter : letters) {
    carryOut(letter);
    letter = nullptr; // its destructor may post
  }
  for (; errand; errand = std::move(errand->next_)) carryOut([&] { errand->run(); });
}

void Mailbox::close() {
  std::vector<Letter> letters; // destroyed without the lock: their destructors may post
  std::shared_ptr<Errand> errand;
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    letters.swap(letters_);
    errand.swap(errands_);
  }
  while (errand) errand = std::move(errand->next_);
}

} // namespace skillhost::http
