// notify: a line of the log on every run. The smallest type.
#include "apply/providers/registry.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kAttributes[] = {
    {.name = "message", .kind = AttributeKind::kProperty, .is_idempotent = false},
    {.name = "name", .is_namevar = true},
    {.name = "withpath", .values = "true false", .default_value = "false"},
};

class Notify : public ResourceType {
 public:
  std::string_view name() const override { return "notify"; }
  std::span<const AttributeInfo> attributes() const override { return kAttributes; }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name == "message") return resource.value("name");
    return std::nullopt;
  }
  Datum retrieve(Resource&, Attribute&) const override { return Datum::symbol("absent"); }
  bool is_in_sync(Resource&, Attribute&, const Datum&) const override { return false; }

  void sync(Resource& resource, Attribute& message) const override {
    std::string text =
        message.is_sensitive ? "Sensitive [value redacted]" : message.values.front().to_text();
    if (resource.is_true("withpath")) {
      resource.log_property(resource.log_level(), "message", std::move(text), true);
    } else {
      resource.context().log.log(resource.log_level(), std::move(text));
    }
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_notify_type() {
  return std::make_unique<Notify>();
}

}  // namespace bunraku::apply
