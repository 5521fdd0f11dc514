// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a file of vectors: reading it ends, and appended vectors are read again.
#include "hybrid/vector_cache.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace skillhost;
  constexpr std::size_t width = 16;
  static const std::string path = std::filesystem::temp_directory_path() /
                                  ("skillhost-vectors-fuzz-" + std::to_string(::getpid()));
  {
    // The input follows a valid header, because hardly any input would get beyond one of its own.
    ::unlink(path.c_str());
    const hybrid::VectorCache empty(path, Blake3::Digest{}, width);
    std::FILE *file = std::fopen(path.c_str(), size % 4 == 0 ? "wb" : "ab");
    if (file == nullptr || std::fwrite(data, 1, size, file) != size) std::abort();
    std::fclose(file);
  }
  Blake3::Digest text{};
  text.fill(7);
  {
    hybrid::VectorCache cache(path, Blake3::Digest{}, width);
    cache.append({{text, {1, std::vector<std::int8_t>(width, 3)}}});
  }
  const hybrid::VectorCache again(path, Blake3::Digest{}, width);
  const auto found = again.find(text);
  if (!found || found->numbers != std::vector<std::int8_t>(width, 3)) std::abort();
  ::unlink(path.c_str());
  return 0;
}
