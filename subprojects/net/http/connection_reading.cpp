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

constexpr std::size_t maxAheadBytes = 64U << 10U; // most bytes read ahead during an answer
constexpr std::size_t maxUnrequestedBodyBytes =
    16U << 10U; // most bytes of a body that nobody asked for
// Bytes read after a refusal, so that the client sees it.
constexpr std::size_t minDrainBytes = 4U << 20U;
// After this time other connections have their turn, however many bytes wait in this one.
constexpr std::chrono::microseconds turn{500}, noTurn{0};
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
  deadline_ = Hub::Clock::now() + (stream_->secure() || proxyHeader_ ? hub_.settings.headTimeout
                                                                     : hub_.settings.idleTimeout);
  hub_.markClosable(*this);
  awaitBytes();
}

void Connection::awaitBytes() {
  if (awaitsReadable_ || hasClientEnded_ || isYielding_ || phase_ == Phase::Closed ||
      unparsed_.size() > maxUnparsedBytes())
    return;
  awaitsReadable_ = true;
  watch_->awaitReadable(shared_from_this());
}

std::size_t Connection::maxUnparsedBytes() const noexcept {
  return isBodyUnrequested() ? maxUnrequestedBodyBytes : maxAheadBytes;
}

void Connection::readable() {
  awaitsReadable_ = false;
  // Both directions may have been ready at once, and writable() may have closed the connection. A
  // connection that gives way does not read, because the end of the input must come after its
  // requests.
  if (phase_ == Phase::Closed || isYielding_) return;
  if (proxyHeader_ && !readProxyHeader()) return;
  const Moment turnEnds = Hub::Clock::now() + (hub_.isWaiting(*this) ? noTurn : turn);
  for (;;) {
    const std::span<char> room(hub_.readBuffer);
    const ByteStream::Moved moved =
        stream_->read(isBodyUnrequested() ? room.first(maxUnrequestedBodyBytes) : room);
    if (moved.outcome == ByteStream::Outcome::Gone) {
      if (const std::string why = stream_->complaint(); !why.empty())
        log::refused(LogLevel::Info, "http", networkOf(client_.name),
                     client_.name + " is refused: " + why);
      return drop("");
    }
    if (moved.outcome == ByteStream::Outcome::Ended) return onClientEnded();
    if (moved.outcome == ByteStream::Outcome::WaitWritable) {
      readNeedsWrite_ = true;
      if (!std::exchange(awaitsWritable_, true)) watch_->awaitWritable(shared_from_this());
    }
    if (moved.outcome != ByteStream::Outcome::Done) break;
    hub_.figures.received.add(static_cast<double>(moved.bytes));
    {
      const Wiping wiping{room.first(moved.bytes)}; // the bytes may include a token
      onBytes({room.data(), moved.bytes});
    }
    if (phase_ == Phase::Closed) return;
    if (isYielding_ || !stream_->hasMore() || unparsed_.size() > maxUnparsedBytes()) break;
    if (Hub::Clock::now() >= turnEnds) {
      yieldToOthers();
      break;
    }
  }
  // TLS may have had to read before it could write.
  if (!output_.empty() && !awaitsWritable_) flush();
  awaitBytes();
}

void Connection::onBytes(std::string_view bytes) {
  if (phase_ == Phase::Draining) {
    drainedBytes_ += bytes.size();
    if (drainedBytes_ > std::max(minDrainBytes, hub_.settings.maxBodyBytes)) drop("");
  } else if (phase_ == Phase::Answering || !unparsed_.empty()) {
    unparsed_.append(bytes);
    parseUnparsed();
  } else {
    const std::size_t used = parse(bytes);
    if (used < bytes.size() && phase_ != Phase::Draining && phase_ != Phase::Closed)
      unparsed_.assign(bytes.substr(used));
  }
}

void Connection::parseUnparsed() {
  const std::size_t used = parse(unparsed_);
  unparsed_.erase(0, used);
  if (unparsed_.empty()) WipedText().swap(unparsed_); // an idle connection owns no buffer
}

void Connection::yieldToOthers() {
  isYielding_ = true;
  hub_.queueTurn(shared_from_this());
}

void Connection::takeTurn() {
  isYielding_ = false;
  if (phase_ != Phase::Closed) continueReading();
}

// Continues with the held requests, and then with those that the client still sends.
void Connection::continueReading() {
  if (isYielding_) return; // it waits for its turn
  parseUnparsed();
  if (!hasClientEnded_) return awaitBytes();
  if (isYielding_) return;
  if (phase_ == Phase::Idle) return finishConnection();
  // The rest of the request will never arrive.
  if (phase_ == Phase::Head || phase_ == Phase::Body) drop("");
}

// The client has closed the connection, or has ended its own side and waits for its answer. The
// server finds out by sending, because the system of a closed client answers with a reset. It sends
// bytes that every client ignores (RFC 9110 §15.2). For HTTP/1.0 there are no such bytes.
void Connection::onClientEnded() {
  if (phase_ != Phase::Answering) return drop("");
  hasClientEnded_ = true;
  readNeedsWrite_ = false;
  watch_->awaitHangUp(shared_from_this());
  if (isAnswerComplete_) return flush(); // the answer is being sent
  if (isStreaming_)
    sendChunk(Fragments(":\n\n"));
  else if (version11_)
    send(Fragments(continueHead));
}

void Connection::onHangUp() { drop(""); }

std::size_t Connection::parse(std::string_view bytes) {
  const Moment turnEnds = Hub::Clock::now() + (hub_.isWaiting(*this) ? noTurn : turn);
  std::size_t used = 0;
  while (phase_ == Phase::Idle || phase_ == Phase::Head || phase_ == Phase::Body) {
    if (!parser_) {
      // Ignore empty lines before a request (RFC 9112 §2.2).
      while (bytes.substr(used).starts_with("\r\n")) used += 2;
      if (used == bytes.size() || bytes.substr(used) == "\r") break;
      beginRequest();
    }
    const std::size_t taken = parser_->feed(bytes.substr(used));
    if (phase_ == Phase::Body && !onBodyBytes()) {
      used += taken;
      break;
    }
    bytesAhead_ = bytes.substr(used + taken);
    const Resetting resetting{bytesAhead_};
    const bool goesOn = advance(!bytesAhead_->empty());
    used = bytes.size() - bytesAhead_->size();
    if (!goesOn) break;
    if (phase_ == Phase::Idle && used < bytes.size() && Hub::Clock::now() >= turnEnds) {
      yieldToOthers();
      break;
    }
  }
  return used;
}

// Hands over the new bytes if they are wanted in pieces, and counts what is kept of the body.
// Returns false if this answered the request.
bool Connection::onBodyBytes() {
  if (incoming_->wantsPieces()) {
    callHandler(incoming_, [](const auto &one) { one->onBodyPiece(); });
    if (phase_ != Phase::Body) return false;
  }
  if (incoming_->countBody(hub_.bodies)) return true;
  refuse({503, "too many bytes of requests are under way"});
  return false;
}

void Connection::beginRequest() {
  incoming_ = std::make_shared<Exchange>(shared_from_this(), hub_.loop.mailbox(), ++number_);
  parser_.emplace(HeadLimits{hub_.settings.maxHeadBytes, hub_.settings.maxFields},
                  hub_.settings.maxBodyBytes, incoming_->incoming(), incoming_->head(),
                  incoming_->body());
  phase_ = Phase::Head;
  deadline_ = Hub::Clock::now() + hub_.settings.headTimeout;
}

// Returns true if the connection can continue with the bytes that it has. `more`: there are some.
bool Connection::advance(bool more) {
  switch (parser_->state()) {
  case RequestParser::State::Head:
    return false;
  case RequestParser::State::Body:
    if (phase_ == Phase::Body) return false;
    dispatchRequest();
    if (phase_ == Phase::Body) sendContinueIfExpected(more);
    return true;
  case RequestParser::State::Complete:
    if (phase_ == Phase::Body)
      onBodyComplete();
    else
      dispatchRequest();
    return true;
  case RequestParser::State::Refused:
    refuse(parser_->refusal());
    return false;
  }
  return false;
}

template <class Function>
void Connection::callHandler(std::shared_ptr<Exchange> exchange, Function function) {
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

void Connection::dispatchRequest() {
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
  hub_.unmarkClosable(*this);
  phase_ = Phase::Answering;
  deadline_ = Moment::max();
  current_ = exchange;
  // Do this within callHandler(), because a refusal may be sent completely at once. The dispatching
  // caller then continues.
  callHandler(std::move(exchange), [this](const auto &one) {
    if (!client_.proxy || nameRequester(*one)) hub_.handler(one);
  });
}

void Connection::readBody(std::uint64_t exchange, std::size_t maxBytes) {
  if (!isAnswering(exchange) || isStreaming_ || phase_ == Phase::Body) return;
  std::shared_ptr<Exchange> asking = current_.lock();
  if (!asking) return;
  if (!asking->takesCodedBody())
    if (const auto refusal = refusalOfCoding(asking->request())) return refuse(*refusal);
  if (asking->body().size() > maxBytes) return refuse(tooLarge);
  if (parser_) {
    if (!parser_->limitBody(maxBytes)) return refuse(tooLarge);
    incoming_ = std::move(asking);
    phase_ = Phase::Body;
    bodyBefore_ = 0;
    deadline_ = Hub::Clock::now() + hub_.settings.bodyTimeout;
    hub_.markClosable(*this); // the server waits for the client again
    if (!dispatching_) sendContinueIfExpected(!unparsed_.empty());
  } else {
    callHandler(std::move(asking), [](const auto &one) { one->onBody(); });
  }
  if (dispatching_) return; // the dispatching caller continues
  continueReading();
}

void Connection::sendContinueIfExpected(bool hasBodyBytes) {
  if (parser_->wantsContinue() && !hasBodyBytes) send(Fragments(continueHead));
}

void Connection::onBodyComplete() {
  parser_.reset();
  hub_.unmarkClosable(*this);
  phase_ = Phase::Answering;
  deadline_ = Moment::max();
  callHandler(std::exchange(incoming_, nullptr), [](const auto &one) { one->onBody(); });
}

} // namespace skillhost::http
