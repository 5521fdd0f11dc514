// SPDX-License-Identifier: Apache-2.0
// One HTTP connection. It reads a request, hands it to the handler once its head is complete, reads
// its body on demand, and writes the answer before it looks at the next request. A client that
// closes the connection while it waits for an answer cancels its request. A client that only ends
// its own side after a whole request gets the answers to all its requests, and then the connection
// ends.
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

// Used on the loop's thread. The hub owns the connection until it is closed. Exchanges may keep it
// alive longer, but then it does nothing any more.
class Connection final : public Watched, public std::enable_shared_from_this<Connection> {
public:
  struct Client {
    std::string name;    // the name in HttpRequest::peer
    std::string address; // key of the limit per client; empty: no limit
    bool proxy = false;  // a trusted proxy, which says for whom it sends a request
  };
  Connection(Hub &hub, Descriptor socket, std::unique_ptr<ByteStream> stream, Client client);

  void start();
  void readable() override;
  void writable() override;
  void onHangUp() override;
  // Answers with 503 if no answer has begun, and ends the connection.
  void failed(const std::exception &why) noexcept override;
  // Runs `work`, and calls failed() if it throws.
  template <class Work> void attempt(Work work) noexcept {
    try {
      work();
    } catch (const std::exception &why) {
      failed(why);
    }
  }
  void check(Hub::Clock::time_point now); // checks every deadline; may close
  void takeTurn();                        // takes its turn with the held requests
  void stop();                            // closes once no request is being answered
  // Closes the connection now. `reason` is a label of the metrics; empty: nothing is counted.
  void drop(std::string_view reason);
  const Client &client() const noexcept { return client_; }

  // An exchange calls these with its number. They do nothing unless it is the one being answered.
  void readBody(std::uint64_t exchange, std::size_t maxBytes);
  void respond(std::uint64_t exchange, HttpResponse response);
  void openStream(std::uint64_t exchange, const HttpFields &further);
  void event(std::uint64_t exchange, std::string_view id, const Fragments &data);
  void closeStream(std::uint64_t exchange);
  void abandon(std::uint64_t exchange); // nobody can answer any more
  // Has the next check() call abandon(). May be called on any thread and needs no memory.
  void abandonSoon(std::uint64_t exchange) noexcept { abandoned_ = exchange; }
  // Records that a credential in one of its requests was accepted. The connection is then not
  // closed to make room for a new one, until one of its requests is answered with 401.
  void protect();
  bool isProtected() const noexcept { return isProtected_ || client_.proxy; }

  std::size_t place = 0; // index in the hub's list
  // The hub's position of this connection in one of two lists, and whether that is the list of
  // those that it may close for a new one.
  std::list<Connection *>::iterator spare;
  bool isSpare = false;

private:
  // In Answering, an existing parser_ means that the handler has the head and has not asked for the
  // body.
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
  void dropAnswer();
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
  std::optional<ProxyHeader> proxyHeader_; // not empty: still expected
  // The client for which a trusted proxy sent the current request; empty: the proxy's own request.
  std::string requester_;
  Phase phase_ = Phase::Idle;
  bool reading_ = false, writing_ = false; // waiting for the socket
  bool readBlocked_ = false;               // TLS has to write before it can read
  bool blocked_ = false;                   // the client takes nothing for now
  bool ended_ = false;                     // the client sends nothing more
  bool isProtected_ = false;               // see protect()
  bool givesWay_ = false;                  // waits for its next turn, see Hub::goOnLater()
  bool dispatching_ = false; // the handler, or an answer of ours, runs within the reading

  WipedText held_;                        // received, and not yet parsed
  std::optional<std::string_view> ahead_; // while bytes are parsed: those behind them
  // The exchange that the parser fills. Not held while the body waits: the handler then declines
  // the body by releasing the exchange.
  std::shared_ptr<Exchange> incoming_;
  std::optional<RequestParser> parser_; // fills incoming_
  std::size_t drained_ = 0;
  std::size_t bodyBefore_ = 0; // bytes of the body when its deadline was set

  std::uint64_t number_ = 0; // the exchange being answered; the first is 1
  std::atomic<std::uint64_t> abandoned_{0};
  std::weak_ptr<Exchange> current_;
  bool keepAlive_ = true, version11_ = true, withoutBody_ = false; // from the current request
  bool streaming_ = false;                                         // an event stream is open
  bool complete_ = false; // the answer is complete, though perhaps not all sent
  bool refused_ = false;  // the request is not read to its end
  OutputQueue output_;
  std::size_t counted_ = 0; // bytes of output_ in Hub::unsent
  std::string countedFor_;  // the address that they count for

  using Moment = Hub::Clock::time_point;
  Moment deadline_ = Moment::max();      // end of the phase
  Moment writeDeadline_ = Moment::max(); // the client must take something before it
  Moment comment_ = Moment::max();       // the time of the next comment on a stream
};

} // namespace skillhost::http
