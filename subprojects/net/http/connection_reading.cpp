// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include "base/log.hpp"

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <algorithm>
#include <exception>
#include <new>
#include <span>
#include <utility>

namespace skillhost::http {
namespace {

constexpr std::size_t maxNext = 64U << 10U;    // most bytes read ahead during an answer
constexpr std::size_t maxWaiting = 16U << 10U; // most bytes of a body that nobody asked for
// Bytes read after a refusal, so that the client sees it.
constexpr std::size_t minDrainBytes = 4U << 20U;
// After this time other connections have their turn, however many bytes wait in this one.
constexpr std::chrono::microseconds turn{500}, noTime{0};
constexpr std::string_view continueHead = "HTTP/1.1 100 Continue\r\n\r\n";

struct Resetting {
  std::optional<std::string_view> &what;
  ~Resetting() { what.reset(); }
};

struct Wiping {
  std::span<char> what;
  ~Wiping() { ::explicit_bzero(what.data(), what.size()); }
};

} // namespace

Connection::Connection(Hub &hub, Descriptor socket, std::unique_ptr<ByteStream> stream,
                       Client client)
    : hub_(hub), socket_(std::move(socket)), stream_(std::move(stream)),
      watch_(std::make_unique<EventLoop::Watch>(hub.loop, socket_.number())),
      client_(std::move(client)) {}

void Connection::start() {
  if (client_.proxy && hub_.settings.proxyProtocol) proxyHeader_.emplace();
  deadline_ = Hub::Clock::now() +
              (stream_->secure() || proxyHeader_ ? hub_.settings.headTime : hub_.settings.idleTime);
  hub_.offer(*this);
  watchReading();
}

void Connection::watchReading() {
  if (reading_ || ended_ || givesWay_ || phase_ == Phase::Closed || held_.size() > maxAhead())
    return;
  reading_ = true;
  watch_->awaitReadable(shared_from_this());
}

std::size_t Connection::maxAhead() const noexcept { return bodyWaits() ? maxWaiting : maxNext; }

void Connection::readable() {
  reading_ = false;
  // Both directions may have been ready at once, and writable() may have closed the connection. A
  // connection that gives way does not read, because the end of the input must come after its
  // requests.
  if (phase_ == Phase::Closed || givesWay_) return;
  if (proxyHeader_ && !readProxyHeader()) return;
  const Moment turnEnds = Hub::Clock::now() + (hub_.isWaiting(*this) ? noTime : turn);
  for (;;) {
    const std::span<char> room(hub_.readBuffer);
    const ByteStream::Moved moved = stream_->read(bodyWaits() ? room.first(maxWaiting) : room);
    if (moved.outcome == ByteStream::Outcome::Gone) {
      if (const std::string why = stream_->complaint(); !why.empty())
        log::refused(LogLevel::Info, "http", networkOf(client_.name),
                     client_.name + " is refused: " + why);
      return drop("");
    }
    if (moved.outcome == ByteStream::Outcome::Ended) return clientEnded();
    if (moved.outcome == ByteStream::Outcome::WaitWritable) {
      readBlocked_ = true;
      if (!std::exchange(writing_, true)) watch_->awaitWritable(shared_from_this());
    }
    if (moved.outcome != ByteStream::Outcome::Done) break;
    hub_.figures.received.add(static_cast<double>(moved.bytes));
    {
      const Wiping wiping{room.first(moved.bytes)}; // the bytes may include a token
      received({room.data(), moved.bytes});
    }
    if (phase_ == Phase::Closed) return;
    if (givesWay_ || !stream_->hasMore() || held_.size() > maxAhead()) break;
    if (Hub::Clock::now() >= turnEnds) {
      giveWay();
      break;
    }
  }
  // TLS may have had to read before it could write.
  if (!output_.empty() && !writing_) flush();
  watchReading();
}

void Connection::received(std::string_view bytes) {
  if (phase_ == Phase::Draining) {
    drained_ += bytes.size();
    if (drained_ > std::max(minDrainBytes, hub_.settings.maxBodyBytes)) drop("");
  } else if (phase_ == Phase::Answering || !held_.empty()) {
    held_.append(bytes);
    takeHeld();
  } else {
    const std::size_t used = take(bytes);
    if (used < bytes.size() && phase_ != Phase::Draining && phase_ != Phase::Closed)
      held_.assign(bytes.substr(used));
  }
}

void Connection::takeHeld() {
  const std::size_t used = take(held_);
  held_.erase(0, used);
  if (held_.empty()) WipedText().swap(held_); // an idle connection owns no buffer
}

void Connection::giveWay() {
  givesWay_ = true;
  hub_.goOnLater(shared_from_this());
}

void Connection::takeTurn() {
  givesWay_ = false;
  if (phase_ != Phase::Closed) takeFurther();
}

// Continues with the held requests, and then with those that the client still sends.
void Connection::takeFurther() {
  if (givesWay_) return; // it waits for its turn
  takeHeld();
  if (!ended_) return watchReading();
  if (givesWay_) return;
  if (phase_ == Phase::Idle) return finishConnection();
  // The rest of the request will never arrive.
  if (phase_ == Phase::Head || phase_ == Phase::Body) drop("");
}

// The client has closed the connection, or has ended its own side and waits for its answer. The
// server finds out by sending, because the system of a closed client answers with a reset. It sends
// bytes that every client ignores (RFC 9110 §15.2). For HTTP/1.0 there are no such bytes.
void Connection::clientEnded() {
  if (phase_ != Phase::Answering) return drop("");
  ended_ = true;
  readBlocked_ = false;
  watch_->awaitHangUp(shared_from_this());
  if (complete_) return flush(); // the answer is being sent
  if (streaming_)
    sendChunk(Fragments(":\n\n"));
  else if (version11_)
    send(Fragments(continueHead));
}

void Connection::onHangUp() { drop(""); }

std::size_t Connection::take(std::string_view bytes) {
  const Moment turnEnds = Hub::Clock::now() + (hub_.isWaiting(*this) ? noTime : turn);
  std::size_t used = 0;
  while (phase_ == Phase::Idle || phase_ == Phase::Head || phase_ == Phase::Body) {
    if (!parser_) {
      // Ignore empty lines before a request (RFC 9112 §2.2).
      while (bytes.substr(used).starts_with("\r\n")) used += 2;
      if (used == bytes.size() || bytes.substr(used) == "\r") break;
      begin();
    }
    const std::size_t taken = parser_->feed(bytes.substr(used));
    if (phase_ == Phase::Body && !takeBody()) {
      used += taken;
      break;
    }
    ahead_ = bytes.substr(used + taken);
    const Resetting resetting{ahead_};
    const bool goesOn = advance(!ahead_->empty());
    used = bytes.size() - ahead_->size();
    if (!goesOn) break;
    if (phase_ == Phase::Idle && used < bytes.size() && Hub::Clock::now() >= turnEnds) {
      giveWay();
      break;
    }
  }
  return used;
}

// Hands over the new bytes if they are wanted in pieces, and counts what is kept of the body.
// Returns false if this answered the request.
bool Connection::takeBody() {
  if (incoming_->wantsPieces()) {
    hand(incoming_, [](const auto &one) { one->onBodyPiece(); });
    if (phase_ != Phase::Body) return false;
  }
  if (incoming_->countBody(hub_.bodies)) return true;
  refuse({503, "too many bytes of requests are under way"});
  return false;
}

void Connection::begin() {
  incoming_ = std::make_shared<Exchange>(shared_from_this(), hub_.loop.mailbox(), ++number_);
  parser_.emplace(HeadLimits{hub_.settings.maxHeadBytes, hub_.settings.maxFields},
                  hub_.settings.maxBodyBytes, incoming_->incoming(), incoming_->head(),
                  incoming_->body());
  phase_ = Phase::Head;
  deadline_ = Hub::Clock::now() + hub_.settings.headTime;
}

// Returns true if the connection can continue with the bytes that it has. `more`: there are some.
bool Connection::advance(bool more) {
  switch (parser_->state()) {
  case RequestParser::State::Head:
    return false;
  case RequestParser::State::Body:
    if (phase_ == Phase::Body) return false;
    dispatch();
    if (phase_ == Phase::Body) invite(more);
    return true;
  case RequestParser::State::Complete:
    if (phase_ == Phase::Body)
      bodyCame();
    else
      dispatch();
    return true;
  case RequestParser::State::Refused:
    refuse(parser_->refusal());
    return false;
  }
  return false;
}

template <class Function>
void Connection::hand(std::shared_ptr<Exchange> exchange, Function function) {
  const bool within = std::exchange(dispatching_, true);
  try {
    function(exchange);
  } catch (const std::bad_alloc &why) {
    failed(why);
  } catch (const std::exception &why) {
    log::failure("http", {"the handler of a request failed"}, why);
  }
  exchange.reset(); // its destructor may answer
  dispatching_ = within;
}

void Connection::dispatch() {
  version11_ = parser_->version11();
  keepAlive_ = parser_->keepAlive();
  if (parser_->state() == RequestParser::State::Complete) parser_.reset();
  std::shared_ptr<Exchange> exchange = std::exchange(incoming_, nullptr);
  HttpRequest &request = exchange->incoming();
  withoutBody_ = request.method == "HEAD";
  request.peer = client_.name;
  request.secure = stream_->secure();
  request.fromProxy = client_.proxy;
  request.certificate = stream_->certificate();
  if (request.certificate) isProtected_ = true;
  exchange->setProtected(isProtected_);
  hub_.withdraw(*this);
  phase_ = Phase::Answering;
  deadline_ = Moment::max();
  current_ = exchange;
  // Do this within hand(), because a refusal may be sent completely at once. The dispatching caller
  // then continues.
  hand(std::move(exchange), [this](const auto &one) {
    if (!client_.proxy || nameRequester(*one)) hub_.handler(one);
  });
}

void Connection::readBody(std::uint64_t exchange, std::size_t maxBytes) {
  if (!answering(exchange) || streaming_ || phase_ == Phase::Body) return;
  std::shared_ptr<Exchange> asking = current_.lock();
  if (!asking) return;
  if (asking->body().size() > maxBytes) return refuse(tooLarge);
  if (parser_) {
    if (!parser_->limitBody(maxBytes)) return refuse(tooLarge);
    incoming_ = std::move(asking);
    phase_ = Phase::Body;
    bodyBefore_ = 0;
    deadline_ = Hub::Clock::now() + hub_.settings.bodyTime;
    hub_.offer(*this); // the server waits for the client again
    if (!dispatching_) invite(!held_.empty());
  } else {
    hand(std::move(asking), [](const auto &one) { one->onBody(); });
  }
  if (dispatching_) return; // the dispatching caller continues
  takeFurther();
}

void Connection::invite(bool bodyCame) {
  if (parser_->wantsContinue() && !bodyCame) send(Fragments(continueHead));
}

void Connection::bodyCame() {
  parser_.reset();
  hub_.withdraw(*this);
  phase_ = Phase::Answering;
  deadline_ = Moment::max();
  hand(std::exchange(incoming_, nullptr), [](const auto &one) { one->onBody(); });
}

} // namespace skillhost::http
