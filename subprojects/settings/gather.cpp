// SPDX-License-Identifier: Apache-2.0
// gather-settings SOURCE NAME FILE [NAME FILE]… reads the keys that each feature declares, and
// writes a C++ source that defines settings::gathered(). For an invalid file it names the file and
// the key, and exits with code 1.
#include "ground/read_file.hpp"
#include "settings/declarations.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

namespace {

using namespace skillhost;

constexpr std::size_t largestFile = 1'048'576; // bytes

Json declaredIn(const std::string &file, const std::string &feature) {
  const Result<std::string> text = readFile(file, largestFile, FileKind::Regular);
  if (!text) throw std::runtime_error(file + ": " + text.failure().message);
  Result<Json> document = parseJson(*text);
  if (!document) throw std::runtime_error(file + ": " + document.failure().message);
  if (const auto read = settings::readDeclarations(*document); !read)
    throw std::runtime_error(file + ": " + read.failure().message);
  (*document)["feature"] = feature;
  return *std::move(document);
}

// Returns a line of the source for each document, to avoid an endless line.
std::string literalOf(const Json &index) {
  std::string out;
  for (const Json &one : index) {
    out += out.empty() ? "    \"[" : ",\"\n    \"";
    // Only ASCII, so that the compiler reads every escape.
    for (const char c : one.dump(-1, ' ', true)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out.empty() ? "    \"[]\"" : out + "]\"";
}

void gather(std::span<char *> arguments) {
  if (arguments.size() % 2 != 1)
    throw std::runtime_error("usage: gather-settings SOURCE NAME FILE [NAME FILE]...");
  Json index = Json::array();
  for (std::size_t i = 1; i < arguments.size(); i += 2)
    index.push_back(declaredIn(arguments[i + 1], arguments[i]));
  if (const auto all = settings::readAll(index.dump()); !all)
    throw std::runtime_error(all.failure().message);
  std::ofstream out(arguments.front(), std::ios::binary | std::ios::trunc);
  out << "// Written by gather-settings; what is changed here is lost.\n"
         "#include \"settings/declarations.hpp\"\n\n"
         "std::string_view skillhost::settings::gathered() noexcept {\n  return\n"
      << literalOf(index) << ";\n}\n";
  if (!out.flush())
    throw std::runtime_error(std::string(arguments.front()) + ": cannot be written");
}

} // namespace

int main(int count, char **arguments) try {
  gather(std::span(arguments, static_cast<std::size_t>(count)).subspan(1));
  return 0;
} catch (const std::exception &problem) {
  std::fprintf(stderr, "gather-settings: %s\n", problem.what());
  return 1;
}
