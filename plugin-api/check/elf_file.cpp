// SPDX-License-Identifier: Apache-2.0
#include "elf_file.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <type_traits>

#include <elf.h>
#include <link.h>

namespace skillhost::check {
namespace {

#if defined(__x86_64__)
constexpr unsigned machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned machine = EM_AARCH64;
#else
constexpr unsigned machine = EM_NONE; // accepts any machine
#endif

struct OutOfFile {};

// Reads at offsets that the file names, and throws OutOfFile if they are outside of it.
class Bytes {
public:
  explicit Bytes(std::string_view data) : data_(data) {}
  template <class T> T at(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > data_.size() || sizeof(T) > data_.size() - offset) throw OutOfFile{};
    T value;
    std::memcpy(&value, data_.data() + offset, sizeof value);
    return value;
  }
  std::string text(std::uint64_t offset) const {
    if (offset >= data_.size()) throw OutOfFile{};
    const std::size_t end = data_.find('\0', offset);
    if (end == std::string_view::npos) throw OutOfFile{};
    return std::string(data_.substr(offset, end - offset));
  }

private:
  std::string_view data_;
};

class Reader {
public:
  explicit Reader(std::string_view data) : bytes_(data) {}

  ElfFile read() {
    const auto head = bytes_.at<ElfW(Ehdr)>(0);
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return fault("is not an ELF file");
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || (machine != EM_NONE && head.e_machine != machine))
      return fault("is built for another machine");
    if (head.e_type != ET_DYN) return fault("is no shared object");
    if (head.e_phentsize != sizeof(ElfW(Phdr))) return fault("has a damaged header");
    segments(head);
    if (head.e_shnum == 0 || head.e_shentsize != sizeof(ElfW(Shdr)))
      return fault("has no section headers, so that nothing can be said of it");
    for (unsigned i = 0; i < head.e_shnum; ++i) section(head, sectionAt(head, i));
    return std::move(file_);
  }

private:
  static ElfFile fault(std::string why) {
    ElfFile file;
    file.fault = std::move(why);
    return file;
  }
  // Checks that all mapped segments are in the file. Mapping a truncated file would end the
  // process.
  void segments(const ElfW(Ehdr) & head) {
    for (unsigned i = 0; i < head.e_phnum; ++i) {
      const auto segment = bytes_.at<ElfW(Phdr)>(head.e_phoff + i * sizeof(ElfW(Phdr)));
      if (segment.p_type == PT_LOAD && segment.p_filesz > 0) {
        if (segment.p_offset + segment.p_filesz < segment.p_offset) throw OutOfFile{};
        bytes_.at<char>(segment.p_offset + segment.p_filesz - 1);
      }
    }
  }
  ElfW(Shdr) sectionAt(const ElfW(Ehdr) & head, unsigned index) const {
    return bytes_.at<ElfW(Shdr)>(head.e_shoff + index * sizeof(ElfW(Shdr)));
  }
  void section(const ElfW(Ehdr) & head, const ElfW(Shdr) & one) {
    if (one.sh_link >= head.e_shnum) return;
    const std::uint64_t names = sectionAt(head, one.sh_link).sh_offset;
    if (one.sh_type == SHT_DYNSYM) symbols(one, names);
    if (one.sh_type == SHT_DYNAMIC) dynamic(one, names);
    if (one.sh_type == SHT_GNU_verneed) needed(one, names);
  }
  void symbols(const ElfW(Shdr) & table, std::uint64_t names) {
    for (std::uint64_t at = 0; at + sizeof(ElfW(Sym)) <= table.sh_size; at += sizeof(ElfW(Sym))) {
      const auto symbol = bytes_.at<ElfW(Sym)>(table.sh_offset + at);
      const unsigned binding = symbol.st_info >> 4U, visibility = symbol.st_other & 3U;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || binding == STB_LOCAL ||
          visibility == STV_HIDDEN || visibility == STV_INTERNAL)
        continue;
      const std::string name = bytes_.text(names + symbol.st_name);
      file_.exported.push_back(name);
      if (binding == STB_GNU_UNIQUE) file_.unique.push_back(name);
    }
  }
  void dynamic(const ElfW(Shdr) & table, std::uint64_t names) {
    for (std::uint64_t at = 0; at + sizeof(ElfW(Dyn)) <= table.sh_size; at += sizeof(ElfW(Dyn))) {
      const auto entry = bytes_.at<ElfW(Dyn)>(table.sh_offset + at);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_TEXTREL ||
          (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0))
        file_.textRelocations = true;
      if (entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
      std::istringstream folders(bytes_.text(names + entry.d_un.d_val));
      for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty()) file_.runPaths.push_back(folder);
    }
  }
  void needed(const ElfW(Shdr) & table, std::uint64_t names) {
    std::uint64_t at = table.sh_offset;
    for (unsigned i = 0; i < table.sh_info; ++i) {
      const auto library = bytes_.at<ElfW(Verneed)>(at);
      std::uint64_t inner = at + library.vn_aux;
      for (unsigned k = 0; k < library.vn_cnt; ++k) {
        const auto version = bytes_.at<ElfW(Vernaux)>(inner);
        file_.versions.insert(bytes_.text(names + version.vna_name));
        inner += version.vna_next;
      }
      at += library.vn_next;
    }
  }

  Bytes bytes_;
  ElfFile file_;
};

} // namespace

ElfFile readElf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    ElfFile none;
    none.fault = "cannot be read";
    return none;
  }
  const std::string data{std::istreambuf_iterator<char>(file), {}};
  try {
    return Reader(data).read();
  } catch (const OutOfFile &) {
    ElfFile none;
    none.fault = !data.starts_with(ELFMAG)
                     ? "is not an ELF file"
                     : "is cut short or damaged: it names places past its end";
    return none;
  }
}

bool newerThan(const std::string &version, const std::string &prefix,
               const std::vector<unsigned> &most) {
  if (!version.starts_with(prefix)) return false;
  std::vector<unsigned> numbers;
  std::istringstream parts(version.substr(prefix.size()));
  for (std::string part; std::getline(parts, part, '.');) {
    if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos) return false;
    numbers.push_back(static_cast<unsigned>(std::stoul(part.substr(0, 6))));
  }
  return numbers > most;
}

} // namespace skillhost::check
