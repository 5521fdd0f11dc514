// SPDX-License-Identifier: Apache-2.0
// Who holds a token of the file may come in, until it expires or is taken out of the file.
#pragma once

#include "tokens/token_file.hpp"

#include <skillhost/plugin.hpp>

#include <memory>
#include <mutex>

namespace skillhost::statics {

// Every method from any thread. Fails closed: without a usable file everybody gets SKH_UNAVAILABLE.
class Authenticator final : public skh::Auth {
public:
  // Throws skh::Error(SKH_INVALID) for a file that is no absolute path.
  Authenticator(skh::Host host, const skh::Call &call);

  void check(const skh::Call &call) override;
  skh::Principal validate(const skh::Call &call, const skh::Credential &credential) override;
  std::string describe(const skh::Call &call) override;

private:
  // The file as it is now. Throws skh::Error(SKH_UNAVAILABLE).
  std::shared_ptr<const tokens::TokenFile> current();

  const skh::Host host_;
  std::string path_;
  std::int64_t cacheSeconds_;
  std::mutex mutex_;
  std::shared_ptr<const tokens::TokenFile> file_;
};

} // namespace skillhost::statics
