// SPDX-License-Identifier: Apache-2.0
// One connection of a plugin to the forwarder, from its first byte to its last. The forwarder's
// thread.
#pragma once

#include "ground/descriptor.hpp"
#include "network/forward_request.hpp"
#include "network/permit.hpp"
#include "network/upstream.hpp"

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::network {

using Moment = std::chrono::steady_clock::time_point;

// What a connection asks its forwarder for.
class ForwardingHost {
public:
  // Whose credentials these are; null: nobody's.
  virtual std::shared_ptr<Permit> permit(const std::string &credentials) = 0;
  virtual const std::optional<Upstream> &upstream(const std::string &host, bool tunnel) = 0;
  // The answer comes by Forwarding::resolved(). False when too many are asked for.
  virtual bool resolve(std::uint64_t number, const std::string &name) = 0;

protected:
  ~ForwardingHost() = default;
};

class Forwarding {
public:
  // `supplied`: to whom the socket was given; null when it connected by itself.
  Forwarding(ForwardingHost &host, std::uint64_t number, Descriptor client,
             std::shared_ptr<Permit> supplied);
  ~Forwarding();
  Forwarding(const Forwarding &) = delete;
  Forwarding &operator=(const Forwarding &) = delete;

  std::uint64_t number() const noexcept { return number_; }
  // Its two descriptors with what is awaited of them; one with nothing to await is -1.
  void watch(std::vector<pollfd> &watched) const;
  void attend(short clientEvents, short serverEvents);
  void resolved(const std::vector<AddressBytes> &addresses);
  // When something has to have happened.
  Moment deadline() const noexcept { return deadline_; }
  void late();
  bool ended() const noexcept { return state_ == State::Ended; }
  void endIfWithdrawn() noexcept {
    if (permit_ && permit_->withdrawn) end();
  }

private:
  enum class State : std::uint8_t {
    Head,       // of the request comes
    Resolving,  // a name
    Connecting, // to one address after the other
    Handshake,  // of a tunnel by another proxy
    Relaying,
    Answering, // with a refusal; then it ends
    Ended
  };

  void end() noexcept { state_ = State::Ended; }
  void readHead();
  void judge();
  void connectNext();
  void connected();
  void readHandshake();
  void relay(short clientEvents, short serverEvents);
  bool listens() const;
  void readClient();
  void readServer();
  bool flush(int to, std::string &buffer);
  void answer(int status, const char *reason, const std::string &text);
  void move(State state, std::chrono::seconds within);

  ForwardingHost &host_;
  const std::uint64_t number_;
  Descriptor client_, server_;
  std::shared_ptr<Permit> permit_;
  bool known_ = false; // permit_ has been counted
  State state_ = State::Head;
  Moment deadline_;
  ForwardRequest request_;
  std::optional<Upstream> upstream_;
  std::vector<AddressBytes> addresses_; // still to be tried
  std::string fromClient_, fromServer_; // read and not yet sent on
  std::uint64_t bodyLeft_ = 0;          // of a request that is no tunnel
  bool clientEnded_ = false, serverEnded_ = false, serverTold_ = false, clientTold_ = false;
};

} // namespace skillhost::network
