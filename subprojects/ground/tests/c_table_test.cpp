// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/c_table.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

using namespace skillhost;

namespace {

struct Numbers { // as a C interface declares it
  std::uint32_t size;
  int (*add)(const Numbers *numbers, int one, int other);
};

class Taken {
public:
  using Raw = OwnedTable<Numbers>;
  const Numbers *raw() const noexcept { return raw_.get(); }
  std::vector<int> all;

private:
  int add(int one, int other) {
    if (one < 0) throw std::runtime_error("no");
    all.push_back(one + other);
    return 0;
  }
  Raw raw_{{sizeof(Numbers), &TableFunction<&Taken::add, -7>::call}, this};
};

} // namespace

TEST_CASE("a table of C functions is answered by the object that owns it") {
  Taken first, second;
  CHECK(first.raw()->size == sizeof(Numbers));
  CHECK(first.raw()->add(first.raw(), 1, 2) == 0);
  CHECK(second.raw()->add(second.raw(), 3, 4) == 0);
  CHECK(first.all == std::vector<int>{3});
  CHECK(second.all == std::vector<int>{7});
}

TEST_CASE("what is thrown is answered as a failure, for C knows no exceptions") {
  const Taken taken;
  CHECK(taken.raw()->add(taken.raw(), -1, 0) == -7);
}
