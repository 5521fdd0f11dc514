// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include "base/log.hpp"

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <exception>
#include <utility>

namespace skillhost::http {
namespace {

constexpr std::size_t maxAhead = 64U << 10U;  // read while a request is being answered
constexpr std::size_t maxDrained = 4U << 20U; // read after a refusal, for the client to hear it
constexpr int readsInARow = 16;               // then the other connections have their turn

} // namespace

Connection::Connection(Hub &hub, Descriptor socket, std::unique_ptr<ByteStream> stream,
                       Client client)
    : hub_(hub), socket_(std::move(socket)), stream_(std::move(stream)),
      watch_(std::make_unique<EventLoop::Watch>(hub.loop, socket_.get())),
      client_(std::move(client)) {}

void Connection::start() {
  deadline_ =
      Hub::Clock::now() + (stream_->secure() ? hub_.settings.headTime : hub_.settings.idleTime);
  watchReading();
}

void Connection::watchReading() {
  if (reading_ || ended_ || phase_ == Phase::Closed || held_.size() > maxAhead) return;
  reading_ = true;
  watch_->awaitReadable(shared_from_this());
}

void Connection::readable() {
  reading_ = false;
  // Both directions may have been ready at once, and the other one, first, have met the end.
  if (phase_ == Phase::Closed) return;
  for (int times = 0; times < readsInARow; ++times) {
    const ByteStream::Moved moved = stream_->read(hub_.readBuffer);
    if (moved.outcome == ByteStream::Outcome::Gone) {
      if (!complete_) return drop("");
      // It still gets the answer that is on its way.
      ended_ = true;
      keepAlive_ = false;
      return;
    }
    if (moved.outcome == ByteStream::Outcome::WaitWritable) {
      readBlocked_ = true;
      if (!std::exchange(writing_, true)) watch_->awaitWritable(shared_from_this());
    }
    if (moved.outcome != ByteStream::Outcome::Done) break;
    hub_.figures.received.add(static_cast<double>(moved.bytes));
    received({hub_.readBuffer.data(), moved.bytes});
    ::explicit_bzero(hub_.readBuffer.data(), moved.bytes); // there may have been a token in it
    if (phase_ == Phase::Closed) return;
    if (!stream_->hasMore() || held_.size() > maxAhead) break;
  }
  // TLS may have had to read before it could write.
  if (!output_.empty() && !writing_) flush();
  watchReading();
}

void Connection::received(std::string_view bytes) {
  if (phase_ == Phase::Draining) {
    drained_ += bytes.size();
    if (drained_ > maxDrained) drop("");
  } else if (phase_ == Phase::Answering || !held_.empty()) {
    held_.append(bytes);
    takeHeld();
  } else {
    const std::size_t used = take(bytes);
    if (used < bytes.size() && phase_ != Phase::Draining) held_.assign(bytes.substr(used));
  }
}

void Connection::takeHeld() {
  const std::size_t used = take(held_);
  held_.erase(0, used);
  if (held_.empty()) WipedText().swap(held_); // a connection that waits owns no buffer
}

std::size_t Connection::take(std::string_view bytes) {
  std::size_t used = 0;
  while (phase_ == Phase::Idle || phase_ == Phase::Head || phase_ == Phase::Body) {
    if (!parser_) {
      // An empty line before a request is passed over (RFC 9112 §2.2).
      while (bytes.substr(used).starts_with("\r\n")) used += 2;
      if (used == bytes.size() || bytes.substr(used) == "\r") break;
      begin();
    }
    const std::size_t taken = parser_->feed(bytes.substr(used));
    used += taken;
    if (!advance(used < bytes.size())) break;
  }
  return used;
}

void Connection::begin() {
  incoming_ = std::make_shared<Exchange>(shared_from_this(), hub_.loop.mailbox(), ++number_);
  parser_.emplace(HeadLimits{hub_.settings.maxHeadBytes, hub_.settings.maxFields},
                  hub_.settings.maxBodyBytes, incoming_->incoming(), incoming_->head(),
                  incoming_->body());
  phase_ = Phase::Head;
  deadline_ = Hub::Clock::now() + hub_.settings.headTime;
}

// Whether the next request may be looked at.
bool Connection::advance(bool bodyCame) {
  switch (parser_->state()) {
  case RequestParser::State::Head:
    return false;
  case RequestParser::State::Body:
    if (phase_ == Phase::Body) return false;
    phase_ = Phase::Body;
    deadline_ = Hub::Clock::now() + hub_.settings.bodyTime;
    if (parser_->wantsContinue() && incoming_->body().empty() && !bodyCame)
      send(Fragments("HTTP/1.1 100 Continue\r\n\r\n"));
    return false;
  case RequestParser::State::Complete:
    dispatch();
    return true;
  case RequestParser::State::Refused:
    refuse(parser_->refusal());
    return false;
  }
  return false;
}

void Connection::dispatch() {
  version11_ = parser_->version11();
  keepAlive_ = parser_->keepAlive();
  parser_.reset();
  const std::shared_ptr<Exchange> exchange = std::exchange(incoming_, nullptr);
  HttpRequest &request = exchange->incoming();
  withoutBody_ = request.method == "HEAD";
  request.peer = client_.name;
  request.secure = stream_->secure();
  phase_ = Phase::Answering;
  deadline_ = Moment::max();
  current_ = exchange;
  dispatching_ = true;
  try {
    hub_.handler(exchange);
  } catch (const std::exception &why) {
    log::error("http", std::string("the handler of a request failed: ") + why.what());
  }
  dispatching_ = false;
}

} // namespace skillhost::http
