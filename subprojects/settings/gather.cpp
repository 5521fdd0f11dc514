// SPDX-License-Identifier: Apache-2.0
// gather-settings SOURCE SHIPPED NAME FILE [NAME FILE]…: reads the key declarations of each
// feature, and the list of the keys of all features that we ship. Writes a C++ source that defines
// settings::gathered() and settings::shipped(). A fault in a file is reported with file and key,
// and ends the program with exit code 1.
#include "ground/read_file.hpp"
#include "settings/declarations.hpp"
#include "settings/shipped.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

namespace {

using namespace skillhost;

constexpr std::size_t maxFileBytes = 1'048'576; // bytes

Json documentIn(const std::string &file) {
  const Result<std::string> text = readFile(file, maxFileBytes, FileKind::Regular);
  if (!text) throw std::runtime_error(file + ": " + text.failure().message);
  Result<Json> document = parseJson(*text);
  if (!document) throw std::runtime_error(file + ": " + document.failure().message);
  return *std::move(document);
}

Json declaredIn(const std::string &file, const std::string &feature) {
  Json document = documentIn(file);
  if (const auto read = settings::readDeclarations(document); !read)
    throw std::runtime_error(file + ": " + read.failure().message);
  document["feature"] = feature;
  return document;
}

Json shippedIn(const std::string &file) {
  Json document = documentIn(file);
  if (const auto read = settings::readShipped(document.dump()); !read)
    throw std::runtime_error(file + ": " + read.failure().message);
  return document;
}

// Returns a string literal with a source line for each part of a list or an object, so that no line
// becomes endless.
std::string literalOf(const Json &whole) {
  const bool isList = whole.is_array();
  std::string text, out = isList ? "    \"[" : "    \"{";
  for (const auto &one : whole.items()) {
    if (!text.empty()) out += ",\"\n    \"";
    // The text is ASCII, so that the compiler understands each escape.
    text = isList ? "" : Json(one.key()).dump(-1, ' ', true) + ':';
    text += one.value().dump(-1, ' ', true);
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + (isList ? "]\"" : "}\"");
}

void gather(std::span<char *> arguments) {
  if (arguments.size() < 2 || arguments.size() % 2 != 0)
    throw std::runtime_error("usage: gather-settings SOURCE SHIPPED [NAME FILE]...");
  const Json all = shippedIn(arguments[1]);
  Json index = Json::array();
  for (std::size_t i = 2; i < arguments.size(); i += 2)
    index.push_back(declaredIn(arguments[i + 1], arguments[i]));
  if (const auto read = settings::readAll(index.dump()); !read)
    throw std::runtime_error(read.failure().message);
  std::ofstream out(arguments.front(), std::ios::binary | std::ios::trunc);
  out << "// Written by gather-settings; what is changed here is lost.\n"
         "#include \"settings/declarations.hpp\"\n#include \"settings/shipped.hpp\"\n\n"
         "std::string_view skillhost::settings::gathered() noexcept {\n  return\n"
      << literalOf(index)
      << ";\n}\n\nstd::string_view skillhost::settings::shipped() noexcept {\n  return\n"
      << literalOf(all) << ";\n}\n";
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
