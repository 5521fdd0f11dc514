// SPDX-License-Identifier: Apache-2.0
// Finds the files in the system's certificate folders that a plugin may read: certificates, never a
// key.
#pragma once

#include "ground/descriptor.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::process {

// Returns the files and folders in which distributions keep certificates, and those that
// SSL_CERT_FILE and SSL_CERT_DIR name.
std::vector<std::string> certificatePlaces();

// Calls `found` with each file at or in `place` that everybody may read and that holds no private
// key, and with the folders themselves, all opened with O_PATH. It follows links and searches
// folders up to three levels deep, except folders named `private`. A missing place is skipped.
void eachCertificate(const std::string &place,
                     const std::function<void(const Descriptor &)> &found);

} // namespace skillhost::process
