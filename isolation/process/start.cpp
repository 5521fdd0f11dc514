// SPDX-License-Identifier: Apache-2.0
#include "process/start.hpp"

namespace skillhost::process {

void Start::pack(Packer &to) const {
  for (const std::string *text :
       {&file, &kind, &id, &hostVersion, &instance, &config, &cacheDirectory, &pinned, &upstream})
    to.text(*text);
  to.u32(channels);
  to.u8(copied ? 1 : 0);
  to.u64(memoryBytes);
  to.u64(cacheBytes);
  to.u8(network ? 1 : 0);
  to.u8(suppliesSockets ? 1 : 0);
  to.i32(pinMode);
  to.i64(deadlineNs);
  for (const std::vector<std::string> *list : {&mayRead, &variables}) {
    to.u32(static_cast<std::uint32_t>(list->size()));
    for (const std::string &text : *list) to.text(text);
  }
}

bool Start::unpack(Unpacker &from, Start &to) {
  for (std::string *text : {&to.file, &to.kind, &to.id, &to.hostVersion, &to.instance, &to.config,
                            &to.cacheDirectory, &to.pinned, &to.upstream})
    *text = from.text();
  to.channels = from.u32();
  to.copied = from.u8() != 0;
  to.memoryBytes = from.u64();
  to.cacheBytes = from.u64();
  to.network = from.u8() != 0;
  to.suppliesSockets = from.u8() != 0;
  to.pinMode = from.i32();
  to.deadlineNs = from.i64();
  for (std::vector<std::string> *list : {&to.mayRead, &to.variables})
    for (std::uint32_t left = from.u32(); left > 0 && from.good(); --left)
      list->emplace_back(from.text());
  return from.good() && !from.hasMore();
}

} // namespace skillhost::process
