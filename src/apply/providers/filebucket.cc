// filebucket: where backups of files are stored. The resource itself changes nothing on the host.
#include "apply/providers/registry.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kFilebucketAttributes[] = {
    {.name = "name", .is_namevar = true},
    {.name = "server"},
    {.name = "port"},
    {.name = "path"},
};

class Filebucket : public ResourceType {
 public:
  std::string_view name() const override { return "filebucket"; }
  std::span<const AttributeInfo> attributes() const override { return kFilebucketAttributes; }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name != "path") return std::nullopt;
    return Datum::string(resource.context().options.client_bucket_directory);
  }
  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name == "path") {
      if (value.is_array()) throw Failure("You can only have one filebucket path");
      if (value.is_string() && !value.text().starts_with('/')) {
        throw Failure("Filebucket paths must be absolute");
      }
    }
    return ResourceType::munge(resource, attribute, value);
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_filebucket_type() {
  return std::make_unique<Filebucket>();
}

}  // namespace bunraku::apply
