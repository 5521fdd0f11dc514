// SPDX-License-Identifier: Apache-2.0
// Tests what is said of a file that no plugin can be loaded from.
#include "catch2.hpp"
#include "plugin_calls/library.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

using namespace skillhost;

TEST_CASE("a plugin file that is missing or damaged is refused in words") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("library_test." + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto refusal = [](const std::filesystem::path &file) {
    const Result<const skh_entry *> entry = openPlugin(file.string());
    return entry ? "loaded" : entry.failure().message;
  };
  CHECK(refusal(folder / "none.so") == "there is no such file");
  CHECK(refusal(folder) == "not a shared object");
  std::ofstream(folder / "empty.so").close();
  CHECK(refusal(folder / "empty.so") == "not a shared object");
  std::ofstream(folder / "text.so") << "This is no plugin.";
  CHECK(refusal(folder / "text.so") == "not a shared object");
  REQUIRE(::mkfifo((folder / "pipe.so").c_str(), 0600) == 0);
  CHECK(refusal(folder / "pipe.so") == "not a shared object");
  // The file begins as it must, and the rest is missing.
  std::ofstream(folder / "cut.so") << "\177ELF";
  CHECK(refusal(folder / "cut.so") == "it is cut short or damaged");
  std::filesystem::remove_all(folder);
}
