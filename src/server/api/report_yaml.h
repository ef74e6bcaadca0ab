// A report in the reference's stored form: YAML with the names of its Ruby classes.
#pragma once

#include <string>

#include "base/formats/data.h"

namespace bunraku::server {

std::string report_yaml(const DataNode& report);

}  // namespace bunraku::server
