// SPDX-License-Identifier: Apache-2.0
// Which files of the system's certificate folders a plugin may read: certificates, never a key.
#pragma once

#include "ground/descriptor.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::process {

// Files and folders of certificates, as distributions have them; SSL_CERT_FILE and SSL_CERT_DIR of
// the environment too.
std::vector<std::string> certificatePlaces();

// Calls `found` with each file at or in `place` that everybody may read and that holds no private
// key, opened with O_PATH, and with the folder itself. Links are followed; folders in folders too,
// three deep, but for those whose name is `private`. What is not there is nothing.
void eachCertificate(const std::string &place,
                     const std::function<void(const Descriptor &)> &found);

} // namespace skillhost::process
