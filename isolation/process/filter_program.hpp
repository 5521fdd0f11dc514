// SPDX-License-Identifier: Apache-2.0
// Writes a seccomp filter in the kernel's own instructions. We do not use libseccomp, because it
// cannot give one answer to all calls above a number, cannot answer x32 and foreign machines
// differently, and cannot compare only the low half of an argument.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skillhost::process {

class FilterProgram {
public:
#if defined(__x86_64__)
  static constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  static constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
  static constexpr std::uint32_t architecture = 0; // filters are not supported here
#endif

  std::size_t size() const { return code_.size(); }
  // Ends a process that calls through the interface of another architecture, answers calls of x32
  // with `ofX32`, and loads the number of the call.
  void begin(std::uint32_t ofX32) {
    constexpr std::uint32_t numbersOfX32 = 0x40000000U;
    load(offsetof(seccomp_data, arch));
    ifEqual(architecture, 1);
    answer(SECCOMP_RET_KILL_PROCESS);
    loadNumber();
    unlessAtLeast(numbersOfX32, 1);
    answer(ofX32);
  }
  void loadNumber() { load(offsetof(seccomp_data, nr)); }
  // Loads the low half of an argument, which is all that the kernel uses. Both architectures are
  // little endian.
  void loadArgument(std::size_t place) {
    load(offsetof(seccomp_data, args) + place * sizeof(std::uint64_t));
  }
  void keepBits(std::uint32_t bits) { code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
  void answer(std::uint32_t what) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }
  void jump(std::size_t skip) {
    code_.push_back(BPF_STMT(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(skip)));
  }
  // Each skips `skip` instructions if its condition holds for the loaded value.
  void ifEqual(std::uint32_t value, std::uint8_t skip) { test(BPF_JEQ, value, skip, 0); }
  void unlessEqual(std::uint32_t value, std::uint8_t skip) { test(BPF_JEQ, value, 0, skip); }
  void ifAtLeast(std::uint32_t value, std::uint8_t skip) { test(BPF_JGE, value, skip, 0); }
  void unlessAtLeast(std::uint32_t value, std::uint8_t skip) { test(BPF_JGE, value, 0, skip); }
  void unlessAnyBit(std::uint32_t bits, std::uint8_t skip) { test(BPF_JSET, bits, 0, skip); }
  void append(const FilterProgram &other) {
    code_.insert(code_.end(), other.code_.begin(), other.code_.end());
  }

  // Installs the filter for this thread and all that it starts, irrevocably. Needs no_new_privs.
  // Returns false with errno.
  bool install() {
    const sock_fprog program = whole();
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }
  // Does the same, and returns a descriptor that receives the calls answered with
  // SECCOMP_RET_USER_NOTIF; -1 with errno.
  int listen() {
    const sock_fprog program = whole();
    return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                      SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
  }

private:
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void test(std::uint16_t how, std::uint32_t value, std::uint8_t ifSo, std::uint8_t ifNot) {
    code_.push_back(
        BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | BPF_K | how), value, ifSo, ifNot));
  }
  sock_fprog whole() { return {static_cast<unsigned short>(code_.size()), code_.data()}; }

  std::vector<sock_filter> code_;
};

} // namespace skillhost::process
