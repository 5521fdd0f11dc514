// SPDX-License-Identifier: Apache-2.0
// bench-store [FOLDER] measures the cost of a store beside plain files, below FOLDER or the
// system's folder for temporary files. Load: verified and decoded, compared with reading the same
// files. Save: compared with writing the same files under another name, fsync and rename for each.
// The two sides of each pair alternate, so that the machine's other work affects both; the medians
// are compared.
#include "../usage.hpp"
#include "store/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skillhost::store;

namespace {

namespace fs = std::filesystem;

constexpr double maxLoadRatio = 2, maxSaveRatio = 1.5;

Content skillOf(std::size_t bytes, int salt) {
  Content content;
  const std::size_t one = std::min<std::size_t>(bytes, 20'000);
  for (std::size_t done = 0; done < bytes; done += one) {
    std::string text = "---\nname: bench\ndescription: A skill to measure.\n---\n";
    while (text.size() < one)
      text +=
          "A line of \"plain\" text as skills have it, number " + std::to_string(salt++) + ".\n";
    content.files.push_back({done == 0 ? "SKILL.md" : "references/" + std::to_string(done), text});
  }
  return content;
}

std::string plainRead(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || ::fstat(file, &status) != 0) throw std::runtime_error(path);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  const bool whole = ::read(file, bytes.data(), bytes.size()) == status.st_size;
  ::close(file);
  if (!whole) throw std::runtime_error(path);
  return bytes;
}

void plainWrite(const std::string &path, const std::string &bytes) {
  const std::string written = path + ".tmp";
  const int file = ::open(written.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      ::fsync(file) != 0 || ::close(file) != 0 || ::rename(written.c_str(), path.c_str()) != 0)
    throw std::runtime_error(path);
}

// Drops the file from the cache, so that the next read comes from the disk; its bytes must already
// be written.
void dropFromCache(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

double microseconds(const std::function<void()> &body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

double median(std::vector<double> &times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

bool compare(const char *what, std::size_t bytes, int rounds, double most,
             const std::function<void()> &before, const std::function<void(int)> &ours,
             const std::function<void(int)> &plain) {
  std::vector<double> mine, others;
  for (int round = 0; round < rounds; ++round) {
    before();
    others.push_back(microseconds([&] { plain(round); }));
    before();
    mine.push_back(microseconds([&] { ours(round); }));
  }
  const double our = median(mine), their = median(others);
  std::printf("%-15s %8zu bytes: %9.1f us, plain %9.1f us, ratio %.2f", what, bytes, our, their,
              our / their);
  if (most != 0) std::printf(" (at most %.1f)", most);
  std::printf("\n");
  return most == 0 || our / their <= most;
}

bool measure(const std::string &folder, std::size_t bytes, int rounds) {
  const Store store(folder + "/skills");
  const std::string name = "bench-" + std::to_string(bytes);
  const Content contents[] = {skillOf(bytes, 1), skillOf(bytes, 1'000'000)};
  store.save(name, contents[0]);
  const std::string version = store.root() + '/' + name + "/1/";
  std::vector<std::pair<std::string, std::string>> files;
  for (const char *file : {"metadata.json", "vfs.json", "checksum.blake3"})
    files.emplace_back(file, plainRead(version + file));
  std::size_t seen = 0;
  const auto forget = [&] {
    for (const auto &[file, text] : files) dropFromCache(version + file);
  };
  const bool load = compare(
      "load from disk", bytes, rounds, maxLoadRatio, forget,
      [&](int) { seen += store.load(name).files.size(); },
      [&](int) {
        for (const auto &[file, text] : files) seen += plainRead(version + file).size();
      });
  // This figure is for information: for cached bytes the hash alone takes longer than a copy of
  // them.
  compare(
      "load from cache", bytes, rounds * 10, 0, [] {},
      [&](int) { seen += store.load(name).files.size(); },
      [&](int) {
        std::vector<std::string> read;
        for (const auto &[file, text] : files) read.push_back(plainRead(version + file));
        seen += read.size();
      });
  const std::string beside = folder + "/plain/";
  fs::create_directories(beside);
  const bool save = compare(
      "save", bytes, rounds, maxSaveRatio, [] {},
      [&](int round) { store.save(name, contents[(round + 1) % 2]); },
      [&](int) {
        for (const auto &[file, text] : files) plainWrite(beside + file, text);
      });
  return load && save && seen != 0;
}

} // namespace

int main(int count, char **arguments) {
  constexpr const char *usage = "usage: bench-store [FOLDER]\n";
  if (const auto ended = bench::endedByOption(count, arguments, usage)) return *ended;
  if (count > 2) return bench::refuse("one FOLDER", usage);
  const fs::path parent = count > 1 ? fs::path(arguments[1]) : fs::temp_directory_path();
  std::string folder = (parent / "bench-store-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 2;
  bool good = true;
  for (const std::size_t bytes :
       {std::size_t{10'000}, std::size_t{200'000}, std::size_t{2'000'000}})
    good = measure(folder, bytes, bytes > 1'000'000 ? 60 : 200) && good;
  fs::remove_all(folder);
  return good ? 0 : 1;
}
