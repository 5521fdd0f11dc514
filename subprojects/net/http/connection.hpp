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
  void check(Hub::Clock::time_point now); // acts on every deadline that has passed; may close
  void takeTurn(); // continues with unparsed requests; called by the hub after queueTurn()
  void stop();     // closes the connection, unless a request is being answered
  // Closes the connection now. `reason` is a label of the metrics; empty: nothing is counted.
  void drop(std::string_view reason);
  const Client &client() const noexcept { return client_; }

  // An exchange calls these with its number. They do nothing unless it is the one being answered.
  void readBody(std::uint64_t exchange, std::size_t maxBytes);
  void respond(std::uint64_t exchange, HttpResponse response);
  void openStream(std::uint64_t exchange, const HttpFields &further);
  void event(std::uint64_t exchange, std::string_view id, const Fragments &data);
  void closeStream(std::uint64_t exchange);
  // Answers with 500, or ends the stream, because the exchange was released without an answer.
  void abandon(std::uint64_t exchange);
  // Makes the next check() call abandon(). May be called on any thread and needs no memory.
  void abandonSoon(std::uint64_t exchange) noexcept { abandoned_ = exchange; }
  // Records that a credential in one of its requests was accepted. The connection is then not
  // closed to make room for a new one, until one of its requests is answered with 401.
  void protect();
  bool isProtected() const noexcept { return isProtected_ || client_.proxy; }

  // Only the hub uses these.
  std::size_t hubIndex = 0;                       // index in Hub::connections
  std::list<Connection *>::iterator listPosition; // in Hub::closable_ or Hub::notClosable_
  bool isClosable = false;                        // it is in Hub::closable_

private:
  enum class Phase {
    Idle,      // waits for a request
    Head,      // reads the head of a request
    Body,      // reads a body that the handler has asked for
    Answering, // the handler has the request; if parser_ exists, it has not asked for the body
    Draining,  // reads and drops bytes after a refusal, so that the client sees the refusal
    Closed
  };

  // Learning the client from a trusted proxy: connection_proxy.cpp
  bool readProxyHeader();
  bool takeProxyHeader();
  void dropProxy(std::string_view reason);
  bool nameRequester(Exchange &exchange);

  // Reading, and calling the handler: connection_reading.cpp
  void onBytes(std::string_view bytes);
  std::size_t parse(std::string_view bytes);
  void parseUnparsed();
  void continueReading();
  void yieldToOthers();
  void onClientEnded();
  void beginRequest();
  bool advance(bool more);
  void dispatchRequest();
  void onBodyComplete();
  bool onBodyBytes();
  template <class Function> void callHandler(std::shared_ptr<Exchange> exchange, Function function);
  void sendContinueIfExpected(bool hasBodyBytes);
  bool isBodyUnrequested() const noexcept { return parser_ && phase_ == Phase::Answering; }
  std::size_t maxUnparsedBytes() const noexcept;
  void awaitBytes();

  // Answering: connection_writing.cpp
  void refuse(Refusal refusal);
  void loseExchange();
  std::shared_ptr<Exchange> stopReadingRequest();
  bool skipArrivedBody();
  void send(Fragments bytes);
  void sendChunk(Fragments bytes);
  bool countUnsent(std::size_t more);
  HttpResponse withoutRoom() const;
  void flush();
  void finishAnswer();
  void finishConnection();
  bool isAnswering(std::uint64_t exchange) const noexcept;

  Hub &hub_;
  Descriptor socket_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<EventLoop::Watch> watch_;
  Client client_;
  std::optional<ProxyHeader> proxyHeader_; // not empty: still expected
  // The client for which a trusted proxy sent the current request; empty: the proxy's own request.
  std::string requester_;
  Phase phase_ = Phase::Idle;
  bool awaitsReadable_ = false, awaitsWritable_ = false; // watch_ waits for the socket
  bool readNeedsWrite_ = false;                          // TLS has to write before it can read
  bool isClientBlocked_ = false;                         // the client takes nothing for now
  bool hasClientEnded_ = false;                          // the client sends nothing more
  bool isProtected_ = false;                             // see protect()
  bool isYielding_ = false;  // waits for its next turn, see Hub::queueTurn()
  bool dispatching_ = false; // the handler, or an answer of ours, runs within the reading

  WipedText unparsed_;                         // received, and not yet parsed
  std::optional<std::string_view> bytesAhead_; // while bytes are parsed: those behind them
  // The exchange that the parser fills. Not held while the body waits: the handler then declines
  // the body by releasing the exchange.
  std::shared_ptr<Exchange> incoming_;
  std::optional<RequestParser> parser_; // fills incoming_
  std::size_t drainedBytes_ = 0;
  std::size_t bodyBefore_ = 0; // bytes of the body when its deadline was set

  std::uint64_t number_ = 0; // the exchange being answered; the first is 1
  std::atomic<std::uint64_t> abandoned_{0};
  std::weak_ptr<Exchange> current_;
  bool keepAlive_ = true, version11_ = true, withoutBody_ = false; // from the current request
  bool isStreaming_ = false;                                       // an event stream is open
  bool isAnswerComplete_ = false; // the answer is complete, though perhaps not all sent
  bool isRequestRefused_ = false; // the request is not read to its end
  OutputQueue output_;
  std::size_t countedBytes_ = 0; // bytes of output_ in Hub::unsent
  std::string countedFor_;       // the address that they count for

  using Moment = Hub::Clock::time_point;
  Moment deadline_ = Moment::max();      // end of the phase
  Moment writeDeadline_ = Moment::max(); // the client must take something before it
  Moment comment_ = Moment::max();       // the time of the next comment on a stream
};

} // namespace skillhost::http
