// SPDX-License-Identifier: Apache-2.0
#include "ground/file_system.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace skillhost {

FileSystem fileSystemOf(int descriptor) noexcept {
  constexpr std::uint32_t overlay = 0x794C7630;
  constexpr std::array<std::uint32_t, 15> remote = {
      0x00006969, // NFS
      0x0000517B, // SMB
      0xFE534D42, // SMB2
      0xFF534D42, // CIFS
      0x65735546, // FUSE, including virtiofs
      0x01021997, // 9p
      0x00C36400, // Ceph
      0x5346414F, // AFS
      0x6B414653, // kAFS
      0x73757245, // Coda
      0x0BD00BD0, // Lustre
      0x01161970, // GFS2
      0x7461636F, // OCFS2
      0x786F4256, // VirtualBox shared folders
      0xBACBACBC, // VMware shared folders
  };
  struct statfs status{};
  if (::fstatfs(descriptor, &status) != 0) return FileSystem::local;
  const auto type = static_cast<std::uint32_t>(status.f_type);
  if (type == overlay) return FileSystem::layered;
  const bool found = std::find(remote.begin(), remote.end(), type) != remote.end();
  return found ? FileSystem::remote : FileSystem::local;
}

} // namespace skillhost
