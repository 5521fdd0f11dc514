// SPDX-License-Identifier: Apache-2.0
// A connection of a plugin to the forwarder, from its first byte to its last. Only the forwarder's
// thread uses it.
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

// Services of the forwarder for its connections.
class ForwardingHost {
public:
  // Returns the permit with these credentials; null if there is none.
  virtual std::shared_ptr<Permit> permit(const std::string &credentials) = 0;
  virtual const std::optional<Upstream> &upstream(const std::string &host, bool tunnel) = 0;
  // The answer arrives in Forwarding::resolved(). Returns false if too many names are being
  // resolved.
  virtual bool resolve(std::uint64_t number, const std::string &name) = 0;

protected:
  ~ForwardingHost() = default;
};

class Forwarding {
public:
  // `supplied` is the permit for which the socket was supplied; null if the plugin connected
  // itself.
  Forwarding(ForwardingHost &host, std::uint64_t number, Descriptor client,
             std::shared_ptr<Permit> supplied);
  ~Forwarding();
  Forwarding(const Forwarding &) = delete;
  Forwarding &operator=(const Forwarding &) = delete;

  std::uint64_t number() const noexcept { return number_; }
  // Appends both descriptors with the awaited events; a descriptor that awaits nothing is -1.
  void watch(std::vector<pollfd> &watched) const;
  void handleEvents(short clientEvents, short serverEvents);
  void resolved(const std::vector<AddressBytes> &addresses);
  // Time at which onDeadline() must be called if nothing happened.
  Moment deadline() const noexcept { return deadline_; }
  void onDeadline();
  bool hasEnded() const noexcept { return state_ == State::Ended; }
  void endIfWithdrawn() noexcept {
    if (permit_ && permit_->withdrawn) end();
  }

private:
  enum class State : std::uint8_t {
    Head,       // receives the head of the request
    Resolving,  // resolves a name
    Connecting, // connects to one address after the other
    Handshake,  // opens a tunnel through another proxy
    Relaying,
    Answering, // sends a refusal and then ends
    Ended
  };

  void end() noexcept { state_ = State::Ended; }
  void readHead();
  void checkRequest();
  void connectNext();
  void connected();
  void readHandshake();
  void relay(short clientEvents, short serverEvents);
  bool wantsClientData() const;
  void readClient();
  void readServer();
  bool flush(int to, std::string &buffer);
  void answer(int status, const char *reason, const std::string &text);
  void enterState(State state, std::chrono::seconds within);

  ForwardingHost &host_;
  const std::uint64_t number_;
  Descriptor client_, server_;
  std::shared_ptr<Permit> permit_;
  bool isCounted_ = false; // permit_ counts this connection
  State state_ = State::Head;
  Moment deadline_;
  ForwardRequest request_;
  std::optional<Upstream> upstream_;
  std::vector<AddressBytes> addresses_; // addresses still to be tried
  std::string fromClient_, fromServer_; // received but not forwarded yet
  std::uint64_t bodyLeft_ = 0;          // rest of the body, if this is not a tunnel
  bool clientEnded_ = false, serverEnded_ = false, isServerShut_ = false, isClientShut_ = false;
};

} // namespace skillhost::network
