// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "evaluation/bootstrap.hpp"

#include <cmath>

using namespace skillhost::evaluation;

TEST_CASE("no difference is none, and the same everywhere is sure") {
  const Difference empty = bootstrap({});
  CHECK((empty.mean == 0 && empty.low == 0 && empty.high == 0 && !empty.isSure()));
  const Difference none = bootstrap(std::vector<double>(50));
  CHECK((none.mean == 0 && none.low == 0 && none.high == 0 && !none.isSure()));
  const Difference all = bootstrap(std::vector<double>(50, -0.25));
  CHECK((all.mean == -0.25 && all.low == -0.25 && all.high == -0.25 && all.isSure()));
}

TEST_CASE("an interval is that of the normal approximation, where that holds") {
  // In 400 questions, 70 get better by one and 30 get worse by one. The mean is .1, and its
  // standard error is sqrt((70 + 30) / 400 - .1 ^ 2) / sqrt(400).
  std::vector<double> differences(400);
  for (std::size_t i = 0; i < 100; ++i) differences[i] = i < 70 ? 1 : -1;
  const Difference found = bootstrap(differences);
  const double error = std::sqrt(0.25 - 0.1 * 0.1) / 20;
  CHECK(found.mean == Approx(0.1));
  CHECK(found.low == Approx(0.1 - 1.96 * error).margin(0.004));
  CHECK(found.high == Approx(0.1 + 1.96 * error).margin(0.004));
  CHECK(found.isSure());
  for (double &each : differences) each /= 100; // the scale does not matter
  CHECK(bootstrap(differences).low == Approx(found.low / 100));
}

TEST_CASE("few questions are not sure of anything") {
  CHECK(!bootstrap({1, 0, 0, -1, 1, 0}).isSure());
  CHECK(bootstrap({1, 0, 0, -1, 1, 0}).low < 0);
}

TEST_CASE("the same questions give the same interval") {
  const std::vector<double> differences{0.5, -0.25, 0, 1, 0.125, -1, 0.3, 0.7};
  const Difference first = bootstrap(differences);
  const Difference second = bootstrap(differences);
  CHECK(first.low == second.low);
  CHECK(first.high == second.high);
  // Follows from the generator's numbers, which are the same everywhere.
  CHECK(first.low == Approx(-0.240625).epsilon(1e-9));
  CHECK(first.high == Approx(0.55625).epsilon(1e-9));
}
