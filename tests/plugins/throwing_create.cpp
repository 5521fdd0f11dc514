// SPDX-License-Identifier: Apache-2.0
// Its constructor throws: the wrapper must return SKH_FAILED with the exception's message, and do
// nothing else.
#include <skillhost/plugin.hpp>

#include <stdexcept>

namespace {

class Throwing final : public skh::Source {
public:
  Throwing(skh::Host, const skh::Call &) {
    throw std::runtime_error("the flux is not capacitated");
  }
  void list(const skh::Call &, const skh::Documents &) override {}
  void read(const skh::Call &, const skh::Document &, const skh::Bytes &) override {}
};

} // namespace

SKH_PLUGIN(skh::source<Throwing>("test.throwing_create", "1.0.0", "Throws in create", nullptr));
