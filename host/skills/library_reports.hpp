// SPDX-License-Identifier: Apache-2.0
// Reports for operators: metrics of the sources, and warnings about their skills.
#pragma once

#include "skills/builder.hpp"
#include "skills/catalogue.hpp"

#include <string>
#include <vector>

namespace skillhost {

void updateSourceMetrics(const std::vector<SourceResult> &results);
// Counts a refresh of a source that has ended.
void countRefresh(const std::string &source, bool isGood);
// Sets the metrics of the catalogue that is served from now on.
void updateCatalogueMetrics(const Catalogue &now);
// Sets the metrics of a source that is no longer served to NaN.
void clearSourceMetrics(const std::string &source);

// Warns of new findings in `now`: skills that lost a name, break a rule or are left out of
// skills/list. The log has named other skills that are not served when their source was read.
void warnOfNewFindings(const Catalogue &now, const Catalogue &before);

} // namespace skillhost
