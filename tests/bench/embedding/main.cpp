// SPDX-License-Identifier: Apache-2.0
// Takes a model's folder, and texts, one a line; prints their vectors, or the processor time that
// they take, which other programs on the machine hardly change.
#include "../usage.hpp"
#include "embedding/encoder.hpp"

#include <time.h> // NOLINT(modernize-deprecated-headers): <ctime> promises no clock_gettime

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

namespace {

using namespace skillhost::embedding;
using Clock = std::chrono::steady_clock;

double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

// Returns the milliseconds that a processor has worked for this thread.
double processorTime() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Prints the least time of many runs, for lengths of text in tokens.
void measure(const Encoder &encoder) {
  Encoder::Workspace workspace;
  constexpr double forMilliseconds = 1500;
  for (const std::size_t tokens : {16U, 55U, 128U, 256U}) {
    std::vector<std::uint32_t> numbers(tokens);
    for (std::size_t at = 0; at < tokens; ++at)
      numbers[at] = static_cast<std::uint32_t>((at * 7919 + 1000) % encoder.pieces().size());
    double least = 1e9;
    const Clock::time_point begun = Clock::now();
    while (milliseconds(begun) < forMilliseconds) {
      const double before = processorTime();
      encoder.embed(numbers, workspace);
      least = std::min(least, processorTime() - before);
    }
    std::printf("%3zu tokens %7.3f ms\n", tokens, least);
  }
}

void writeVectors(const Encoder &encoder, const std::string &texts, const std::string &to) {
  Encoder::Workspace workspace;
  std::ifstream lines(texts);
  std::ofstream out(to, std::ios::binary);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<float> vector = encoder.embed(line, workspace);
    out.write(reinterpret_cast<const char *>(vector.data()),
              static_cast<std::streamsize>(vector.size() * sizeof(float)));
  }
}

} // namespace

int main(int count, char **arguments) {
  constexpr const char *usage =
      "usage: embedding_bench MODEL_FOLDER auto|portable|avx2|avx512|neon [TEXTS VECTORS]\n"
      "without texts: the least processor time for texts of several lengths\n";
  if (const auto ended = bench::endedByOption(count, arguments, usage)) return *ended;
  if (count != 3 && count != 5) return bench::refuse("two words, or four", usage);
  try {
    const Clock::time_point begun = Clock::now();
    const Encoder encoder(arguments[1], kernelsCalled(arguments[2]));
    std::fprintf(stderr, "%s, read in %.1f ms\n", kernelsCalled(arguments[2]).name,
                 milliseconds(begun));
    if (count == 5)
      writeVectors(encoder, arguments[3], arguments[4]);
    else
      measure(encoder);
  } catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
