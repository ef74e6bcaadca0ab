// Writes classes.txt and resources.txt.
#include "apply/transaction/catalog_summary.h"

#include "apply/transaction/resource.h"
#include "apply/transaction/resource_type.h"
#include "base/system/file_writer.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

// Not synced, as each run writes the files again.
constexpr NewFile kSummaryFile{.mode = 0640, .is_synced = false};

}  // namespace

void write_catalog_summary(const Catalog& catalog, const std::string& classes_path,
                           const std::string& resources_path) {
  std::string classes;
  std::string resources;
  for (const std::string& name : catalog.classes()) classes += name + "\n";
  for (const Resource* resource : catalog.resources()) {
    const std::string_view type = resource->type().name();
    if (resource->type().is_container() || type == "stage" || type == "schedule" ||
        type == "filebucket") {
      continue;
    }
    resources += downcase(resource->reference()) + "\n";
  }
  write_file(classes_path, classes, kSummaryFile);
  write_file(resources_path, resources, kSummaryFile);
}

}  // namespace bunraku::apply
