// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"

#include "connection.hpp"

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <algorithm>
#include <exception>
#include <utility>

namespace skillhost::http {
namespace {

// A body of usual length is never refused because of what others send.
constexpr std::size_t uncountedBody = 64U << 10U;

} // namespace

Exchange::Exchange(std::shared_ptr<Connection> connection, std::shared_ptr<Mailbox> mailbox,
                   std::uint64_t number)
    : connection_(std::move(connection)), mailbox_(std::move(mailbox)), number_(number) {}

Exchange::~Exchange() {
  if (budget_) budget_->giveBack(network_, counted_);
  ::explicit_bzero(head_.data(), head_.size());
  if (answered_) return;
  try {
    onLoop([number = number_](Connection &connection) { connection.abandon(number); });
  } catch (const std::exception &) {
    connection_->abandonSoon(number_);
  }
}

void Exchange::forgetCredentials(std::span<const std::string> further) noexcept {
  for (const HttpField &one : request_.fields)
    if (one.name == "authorization" ||
        std::find(further.begin(), further.end(), one.name) != further.end())
      ::explicit_bzero(head_.data() + (one.value.data() - head_.data()), one.value.size());
}

bool Exchange::countBody(const std::shared_ptr<ByteBudget> &budget) {
  const std::size_t all = body_.size() + keptElsewhere_;
  const std::size_t now = all <= uncountedBody ? 0 : all;
  if (now < counted_) budget_->giveBack(network_, std::exchange(counted_, now) - now);
  if (now == counted_) return true;
  if (network_.empty()) network_ = networkOf(request_.peer);
  if (!budget->take(network_, now - counted_)) return false;
  budget_ = budget;
  counted_ = now;
  return true;
}

template <class Function> void Exchange::onLoop(Function function) {
  if (mailbox_->mine())
    connection_->attempt([&] { function(*connection_); });
  else
    mailbox_->post([connection = connection_, function = std::move(function)]() mutable {
      connection->attempt([&] { function(*connection); });
    });
}

void Exchange::protectConnection() {
  if (isProtected_) return;
  onLoop([](Connection &connection) { connection.protect(); });
}

void Exchange::readBody(std::function<void()> whole, std::size_t maxBytes, BodyPiece piece) {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != State::Waiting) return;
    whole_ = std::move(whole);
    piece_ = std::move(piece);
  }
  onLoop([number = number_, maxBytes](Connection &connection) {
    connection.readBody(number, maxBytes);
  });
}

void Exchange::onBodyPiece() {
  const BodyPiece piece = piece_; // a copy, because the call may answer and release piece_
  if (!body_.empty()) keptElsewhere_ = piece(body_);
  body_.clear();
  request_.body = {};
}

void Exchange::onBody() {
  std::function<void()> whole;
  BodyPiece none; // no further piece follows
  {
    const std::scoped_lock lock(mutex_);
    whole.swap(whole_);
    none.swap(piece_);
  }
  if (whole) whole();
}

// Count the request as answered only once the answer is posted, because posting may lack memory.
void Exchange::respond(HttpResponse response) {
  onLoop([number = number_, response = std::move(response)](Connection &connection) mutable {
    connection.respond(number, std::move(response));
  });
  answered_ = true;
}

void Exchange::openStream(const HttpFields &further) {
  onLoop([number = number_, further](Connection &connection) {
    connection.openStream(number, further);
  });
}

void Exchange::event(std::string_view id, const Fragments &data) {
  onLoop([number = number_, id = std::string(id), data](Connection &connection) {
    connection.event(number, id, data);
  });
}

void Exchange::closeStream() {
  onLoop([number = number_](Connection &connection) { connection.closeStream(number); });
  answered_ = true;
}

void Exchange::whenGone(std::function<void()> gone) {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ == State::Finished) return;
    if (state_ == State::Waiting) {
      gone_ = std::move(gone);
      return;
    }
  }
  gone();
}

void Exchange::finished() {
  answered_ = true;
  std::function<void()> neverCame, forgotten; // destroyed without the lock: they may hold anything
  BodyPiece none;
  const std::scoped_lock lock(mutex_);
  state_ = State::Finished;
  neverCame.swap(whole_);
  none.swap(piece_);
  forgotten.swap(gone_);
}

void Exchange::lost() {
  answered_ = true;
  std::function<void()> neverCame, gone;
  BodyPiece none;
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != State::Waiting) return;
    state_ = State::Lost;
    neverCame.swap(whole_);
    none.swap(piece_);
    gone.swap(gone_);
  }
  if (gone) gone();
}

} // namespace skillhost::http
