// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "connection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <utility>

namespace skillhost::http {
namespace {

// Time for a refused client to read the refusal.
constexpr std::chrono::milliseconds drainTime{1'000};
// Bytes written before other connections have their turn.
constexpr std::size_t maxWriteBytes = 256U << 10U;
// An answer of usual length is never refused because of how its client reads others.
constexpr std::size_t uncountedAnswer = 64U << 10U;

bool mayHaveBody(int status) noexcept { return status >= 200 && status != 204 && status != 304; }

} // namespace

bool Connection::isAnswering(std::uint64_t exchange) const noexcept {
  return exchange == number_ && (phase_ == Phase::Answering || phase_ == Phase::Body) &&
         !isAnswerComplete_;
}

void Connection::respond(std::uint64_t exchange, HttpResponse response) {
  if (!isAnswering(exchange) || isStreaming_) return;
  // The credential may have been revoked. A TLS certificate, in contrast, was accepted for the
  // whole connection.
  if (response.status == 401 && !stream_->certificate()) isProtected_ = false;
  const std::shared_ptr<Exchange> left = stopReadingRequest();
  if (!withoutBody_ && !countUnsent(response.body.size())) response = withoutRoom();
  if (hub_.stopping) keepAlive_ = false;
  Framing framing{{}, false, !keepAlive_, hub_.date.now()};
  if (mayHaveBody(response.status)) framing.length = response.body.size();
  Fragments head(responseHead(response, framing));
  if (!framing.length || withoutBody_) response.body = {};
  output_.push(std::move(head), std::move(response.body));
  isAnswerComplete_ = true;
  flush();
}

// Makes the answer that replaces one for which there is no room: see countUnsent().
HttpResponse Connection::withoutRoom() const {
  constexpr std::string_view why =
      "too many bytes of other answers wait until this client reads them";
  log::refused(LogLevel::Info, "http", networkOf(client_.name),
               "503 for " + client_.name + ": " + std::string(why));
  Figures::refusedRequest(503);
  return {503, plainTextType, {{"Retry-After", "1"}}, Fragments(std::string(why) + "\n")};
}

void Connection::refuse(Refusal refusal) {
  log::refused(LogLevel::Info, "http", networkOf(client_.name),
               std::to_string(refusal.status) + " for " + client_.name + ": " +
                   std::string(refusal.reason));
  Figures::refusedRequest(refusal.status);
  loseExchange();
  const std::shared_ptr<Exchange> left = stopReadingRequest();
  withoutBody_ = false;
  HttpFields fields;
  if (refusal.status == 503) fields.emplace_back("Retry-After", "1");
  respond(number_, {refusal.status, "text/plain", std::move(fields),
                    Fragments(std::string(refusal.reason) + "\n")});
}

// Takes the rest of the request from the handler. Unless all of it has arrived, the connection ends
// with the answer. The caller keeps the returned exchange until the answer has begun.
std::shared_ptr<Exchange> Connection::stopReadingRequest() {
  if (!parser_) return nullptr;
  if (!skipArrivedBody()) {
    keepAlive_ = false;
    isRequestRefused_ = true;
  }
  parser_.reset();
  if (phase_ == Phase::Body) hub_.unmarkClosable(*this);
  phase_ = Phase::Answering;
  deadline_ = Moment::max();
  return std::exchange(incoming_, nullptr);
}

// Skips a body that nobody asked for and that arrived with its head, so that the next request
// follows. Returns false if the body has no length or is not complete.
bool Connection::skipArrivedBody() {
  if (!isBodyUnrequested() || parser_->state() != RequestParser::State::Body) return false;
  const std::optional<std::size_t> left = parser_->left();
  if (!left || *left > (bytesAhead_ ? bytesAhead_->size() : unparsed_.size())) return false;
  if (bytesAhead_)
    bytesAhead_->remove_prefix(*left);
  else
    unparsed_.erase(0, *left);
  return true;
}

void Connection::openStream(std::uint64_t exchange, const HttpFields &further) {
  if (!isAnswering(exchange) || isStreaming_) return;
  const std::shared_ptr<Exchange> left = stopReadingRequest();
  if (!version11_ || hub_.stopping) keepAlive_ = false;
  HttpResponse response{200, "text/event-stream", further, {}};
  response.fields.emplace_back("Cache-Control", "no-store");
  response.fields.emplace_back("X-Accel-Buffering", "no"); // for a proxy in front
  Fragments head(responseHead(response, {{}, version11_, !keepAlive_, hub_.date.now()}));
  output_.push(std::move(head));
  isStreaming_ = true;
  isAnswerComplete_ = withoutBody_;
  comment_ = Hub::Clock::now() + hub_.settings.commentInterval;
  flush();
}

void Connection::event(std::uint64_t exchange, std::string_view id, const Fragments &data) {
  if (!isAnswering(exchange) || !isStreaming_) return;
  Fragments text;
  if (!id.empty()) text.append("id: ").append(id).append("\n");
  text.append("data: ").append(data).append("\n\n");
  sendChunk(std::move(text));
}

void Connection::closeStream(std::uint64_t exchange) {
  if (!isAnswering(exchange) || !isStreaming_) return;
  if (version11_) output_.push(Fragments("0\r\n\r\n"));
  isAnswerComplete_ = true;
  flush();
}

void Connection::abandon(std::uint64_t exchange) {
  if (!isAnswering(exchange)) return;
  if (isStreaming_) return closeStream(exchange);
  respond(exchange, {500, "text/plain", {}, Fragments("the request was not answered\n")});
}

// Counts the client's unsent bytes, and `more` that are about to be sent, for its address. Returns
// false if they exceed the limit. A single answer never does.
bool Connection::countUnsent(std::size_t more) {
  const std::size_t all = output_.size() + more;
  const std::size_t now =
      all <= uncountedAnswer ? 0 : std::min(all, hub_.settings.maxUnsentBytesOfPeer);
  if (now == countedBytes_) return true;
  if (countedBytes_ == 0) countedFor_ = requester_.empty() ? networkOf(client_.name) : requester_;
  if (now > countedBytes_ && !hub_.unsent.take(countedFor_, now - countedBytes_)) return false;
  if (now < countedBytes_) hub_.unsent.giveBack(countedFor_, countedBytes_ - now);
  hub_.figures.unsent.add(static_cast<double>(now) - static_cast<double>(countedBytes_));
  countedBytes_ = now;
  return true;
}

void Connection::failed(const std::exception &why) noexcept {
  if (phase_ == Phase::Closed) return;
  log::failure("http", {client_.name, " cannot be served"}, why);
  keepAlive_ = false;
  isRequestRefused_ = true; // further bytes are not parsed as a request
  try {
    if (isAnswerComplete_) return flush(); // the answer is complete
    if (!isStreaming_ && (parser_ || phase_ == Phase::Answering))
      return refuse({503, shortOfMemory});
  } catch (const std::exception &) {
    // No answer can be sent either.
  }
  drop("");
}

void Connection::sendChunk(Fragments bytes) {
  // The connection gave way to others, so it does not know yet whether the client still takes
  // bytes.
  if (awaitsWritable_ && !isClientBlocked_ && output_.size() > hub_.settings.maxUnsentBytes) {
    awaitsWritable_ = false;
    flush();
    if (phase_ == Phase::Closed) return;
  }
  if ((isClientBlocked_ && output_.size() > hub_.settings.maxUnsentBytes) ||
      !countUnsent(bytes.size()))
    return drop("does not read its stream");
  comment_ = Hub::Clock::now() + hub_.settings.commentInterval;
  if (!version11_) return send(std::move(bytes));
  std::array<char, 16> size{};
  const auto [end, fault] = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16);
  Fragments chunk(std::string_view(size.data(), end));
  send(std::move(chunk.append("\r\n").append(bytes).append("\r\n")));
}

void Connection::send(Fragments bytes) {
  output_.push(std::move(bytes));
  flush();
}

void Connection::writable() {
  awaitsWritable_ = false;
  if (phase_ == Phase::Closed) return;
  if (!output_.empty()) flush();
  if (phase_ == Phase::Closed) return;
  if (std::exchange(readNeedsWrite_, false) && !awaitsReadable_) readable();
}

void Connection::flush() {
  if (awaitsWritable_) return; // continues when the socket has room
  std::size_t atOnce = maxWriteBytes;
  while (!output_.empty()) {
    if (atOnce == 0) {
      writeDeadline_ = Hub::Clock::now() + hub_.settings.writeTimeout;
      awaitsWritable_ = true;
      return watch_->awaitWritable(shared_from_this());
    }
    std::array<iovec, 16> room;
    const ByteStream::Moved moved = stream_->write(output_.parts(room, atOnce));
    if (moved.outcome == ByteStream::Outcome::Gone || moved.outcome == ByteStream::Outcome::Ended)
      return drop("");
    isClientBlocked_ = moved.outcome != ByteStream::Outcome::Done;
    if (isClientBlocked_) {
      if (writeDeadline_ == Moment::max())
        writeDeadline_ = Hub::Clock::now() + hub_.settings.writeTimeout;
      if (moved.outcome == ByteStream::Outcome::WaitReadable) return awaitBytes();
      awaitsWritable_ = true;
      return watch_->awaitWritable(shared_from_this());
    }
    hub_.figures.sent.add(static_cast<double>(moved.bytes));
    output_.sent(moved.bytes);
    if (countedBytes_ != 0) countUnsent(0);
    atOnce -= std::min(atOnce, moved.bytes);
    writeDeadline_ = Moment::max();
  }
  if (isAnswerComplete_) finishAnswer();
}

void Connection::finishAnswer() {
  isAnswerComplete_ = isStreaming_ = false;
  comment_ = Moment::max();
  if (const auto exchange = current_.lock()) exchange->finished();
  current_.reset();
  hub_.giveBack(std::exchange(requester_, {}));
  if (!keepAlive_ || hub_.stopping) return finishConnection();
  phase_ = Phase::Idle;
  deadline_ = Hub::Clock::now() + hub_.settings.idleTimeout;
  hub_.markClosable(*this);
  if (dispatching_) return; // the dispatching caller continues
  continueReading();
}

// Closing a socket with unread bytes resets it, and the client may never see what was sent. After a
// refusal, the client's bytes are therefore read for a while.
void Connection::finishConnection() {
  stream_->finish();
  if (!isRequestRefused_ || hasClientEnded_) return drop("");
  phase_ = Phase::Draining;
  WipedText().swap(unparsed_);
  deadline_ = Hub::Clock::now() + drainTime;
  hub_.markClosable(*this);
  awaitBytes();
}

void Connection::check(Hub::Clock::time_point now) {
  if (now >= writeDeadline_) return drop("does not read its answer");
  if (now >= comment_ && output_.empty()) return sendChunk(Fragments(":\n\n"));
  if (const std::uint64_t number = abandoned_.exchange(0); number != 0) {
    return abandon(number);
  }
  if (now < deadline_) return;
  switch (phase_) {
  case Phase::Idle:
    return proxyHeader_ ? dropProxy("its PROXY header did not come in time") : drop("");
  case Phase::Head:
    return refuse({408, "the head of the request did not come in time"});
  case Phase::Body: {
    const auto span =
        std::chrono::duration_cast<std::chrono::milliseconds>(hub_.settings.bodyTimeout).count();
    const std::size_t came = parser_->bodySize() - bodyBefore_;
    if (came * 1000 < hub_.settings.minBytesPerSecond * static_cast<std::size_t>(span))
      return refuse({408, "the body of the request did not come in time"});
    bodyBefore_ = parser_->bodySize();
    deadline_ = now + hub_.settings.bodyTimeout;
    return;
  }
  case Phase::Draining:
    return drop("");
  case Phase::Answering:
  case Phase::Closed:
    return;
  }
}

void Connection::protect() {
  isProtected_ = true;
  hub_.unmarkClosable(*this);
}

void Connection::stop() {
  if (phase_ != Phase::Answering && phase_ != Phase::Draining) drop("");
}

void Connection::drop(std::string_view reason) {
  if (phase_ == Phase::Closed) return;
  const std::shared_ptr<Connection> self = shared_from_this();
  phase_ = Phase::Closed;
  watch_.reset();
  stream_.reset();
  socket_.reset();
  output_.clear();
  countUnsent(0);
  unparsed_.clear();
  parser_.reset();
  incoming_.reset();
  hub_.giveBack(std::exchange(requester_, {}));
  hub_.remove(*this);
  loseExchange();
  if (reason.empty()) return;
  log::debug("http", client_.name + " is dropped: " + std::string(reason));
  Figures::dropped(std::string(reason));
}

// The loss is reported later, because the thread that answers may hold a lock that the handler of
// the loss takes, too.
void Connection::loseExchange() {
  if (auto exchange = current_.lock()) hub_.loop.mailbox()->post(std::move(exchange));
  current_.reset();
}

} // namespace skillhost::http
