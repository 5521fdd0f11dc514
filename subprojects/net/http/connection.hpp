// SPDX-License-Identifier: Apache-2.0
// One connection: reads requests, hands each to the handler once its head is there, reads its body
// when it is asked to, and writes the answer before the next is looked at. A client that closes the
// connection while it waits for an answer takes its request back. One that only ends its own side,
// after a whole request, gets the answers to all that it has sent, and then the connection ends.
#pragma once

#include "byte_stream.hpp"
#include "exchange.hpp"
#include "ground/wiped_text.hpp"
#include "hub.hpp"
#include "output_queue.hpp"
#include "proxy_header.hpp"
#include "request_parser.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::http {

// On the loop's thread. The hub owns it until it is closed; exchanges may keep it longer, but then
// it does nothing any more.
class Connection final : public Watched, public std::enable_shared_from_this<Connection> {
public:
  struct Client {
    std::string name;    // as HttpRequest::peer has it
    std::string address; // what a limit per client counts; empty: not limited
    bool proxy = false;  // that is trusted: it says whose requests it sends
  };
  Connection(Hub &hub, Descriptor socket, std::unique_ptr<ByteStream> stream, Client client);

  void start();
  void readable() override;
  void writable() override;
  void hungUp() override;
  // Answers with 503 where there is nothing of an answer yet, and ends the connection.
  void failed(const std::exception &why) noexcept override;
  // Does a piece of its work; when that throws, failed().
  template <class Work> void attempt(Work work) noexcept {
    try {
      work();
    } catch (const std::exception &why) {
      failed(why);
    }
  }
  void check(Hub::Clock::time_point now); // every deadline; may close it
  void goOn();                            // with the requests that are held: it is its turn
  void stop();                            // closes it as soon as no request is being answered
  // Closes it now. `reason` is for the figures; empty when there is nothing to tell.
  void drop(std::string_view reason);
  const Client &client() const noexcept { return client_; }

  // For the exchange of that number; nothing when it is not the one being answered.
  void readBody(std::uint64_t exchange, std::size_t most);
  void respond(std::uint64_t exchange, HttpResponse response);
  void openStream(std::uint64_t exchange, const HttpFields &further);
  void event(std::uint64_t exchange, std::string_view id, const Fragments &data);
  void closeStream(std::uint64_t exchange);
  void abandon(std::uint64_t exchange); // nobody is left to answer it
  // The same, done by the next check(); any thread, and without memory.
  void abandonSoon(std::uint64_t exchange) noexcept { abandoned_ = exchange; }
  // A credential that came with one of its requests was accepted: it is not closed for a new one,
  // until a request on it is answered with 401.
  void protect();
  bool isProtected() const noexcept { return isProtected_ || client_.proxy; }

  std::size_t place = 0; // in the hub's list
  // The hub keeps here where it has put the connection, while it may be closed for a new one.
  std::optional<std::list<Connection *>::iterator> spare;

private:
  // Answering with a parser left: the head was handed over, and nobody has asked for the body yet.
  enum class Phase { Idle, Head, Body, Answering, Draining, Closed };

  // connection_proxy.cpp
  bool readProxyHeader();
  bool takeProxyHeader();
  void dropProxy(std::string_view reason);
  bool nameRequester(Exchange &exchange);

  // connection_reading.cpp
  void received(std::string_view bytes);
  std::size_t take(std::string_view bytes);
  void takeHeld();
  void takeFurther();
  void giveWay();
  void clientEnded();
  void begin();
  bool advance(bool more);
  void dispatch();
  void bodyCame();
  bool takeBody();
  template <class Function> void hand(std::shared_ptr<Exchange> exchange, Function function);
  void invite(bool bodyCame);
  bool bodyWaits() const noexcept { return parser_ && phase_ == Phase::Answering; }
  std::size_t maxAhead() const noexcept;
  void watchReading();

  // connection_writing.cpp
  void refuse(Refusal refusal);
  void lose();
  std::shared_ptr<Exchange> leaveBody();
  bool passOverBody();
  void send(Fragments bytes);
  void sendChunk(Fragments bytes);
  bool countUnsent(std::size_t more);
  HttpResponse withoutRoom() const;
  void flush();
  void finishAnswer();
  void finishConnection();
  bool answering(std::uint64_t exchange) const noexcept;

  Hub &hub_;
  Descriptor socket_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<EventLoop::Watch> watch_;
  Client client_;
  std::optional<ProxyHeader> proxyHeader_; // that is awaited
  // A trusted proxy has sent the request being answered for this client; empty: for itself.
  std::string requester_;
  Phase phase_ = Phase::Idle;
  bool reading_ = false, writing_ = false; // awaited
  bool readBlocked_ = false;               // TLS has to write before it can read
  bool blocked_ = false;                   // the client takes nothing for now
  bool ended_ = false;                     // the client sends nothing more
  bool isProtected_ = false;               // see protect()
  bool givesWay_ = false;                  // it waits for its next turn, see Hub::goOnLater()
  bool dispatching_ = false; // answered by ourselves or the handler, called while reading

  WipedText held_;                        // came, and is not taken yet
  std::optional<std::string_view> ahead_; // while some is taken: what is behind that
  // Held while it is filled, so not while the body waits: whoever then lets go of it has declined.
  std::shared_ptr<Exchange> incoming_;
  std::optional<RequestParser> parser_; // fills it
  std::size_t drained_ = 0;
  std::size_t bodyBefore_ = 0; // of the body, what had come when its deadline was set

  std::uint64_t number_ = 0; // of the exchange being answered; the first is 1
  std::atomic<std::uint64_t> abandoned_{0};
  std::weak_ptr<Exchange> current_;
  bool keepAlive_ = true, version11_ = true, withoutBody_ = false; // of its request
  bool streaming_ = false;                                         // a stream is open
  bool complete_ = false; // the answer is, though not all of it may be sent
  bool refused_ = false;  // the request is not read to its end
  OutputQueue output_;
  std::size_t counted_ = 0; // bytes of it that Hub::unsent counts
  std::string countedFor_;  // whose they are, while there are some

  using Moment = Hub::Clock::time_point;
  Moment deadline_ = Moment::max();      // of the phase
  Moment writeDeadline_ = Moment::max(); // for the client to take something
  Moment comment_ = Moment::max();       // when a stream is due for a sign of life
};

} // namespace skillhost::http
