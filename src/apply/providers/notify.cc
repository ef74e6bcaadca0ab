// notify: a log message in every run. The smallest type.
#include <utility>

#include "apply/providers/registry.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kNotifyAttributes[] = {
    {.name = "message",
     .kind = AttributeKind::kProperty,
     .is_idempotent = false,
     .takes_sensitive_items = true},
    {.name = "name", .is_namevar = true},
    {.name = "withpath", .values = "true false", .default_value = "false"},
};

// Appends the message as the logger shows it: the items of a list, flattened and separated by
// spaces.
void append_logged(std::string& to, const Datum& value) {
  if (!value.is_array()) {
    to += value.to_text();
    return;
  }
  bool is_first = true;
  for (const Datum& item : value.items()) {
    if (!std::exchange(is_first, false)) to += ' ';
    append_logged(to, item);
  }
}

class Notify : public ResourceType {
 public:
  std::string_view name() const override { return "notify"; }
  std::span<const AttributeInfo> attributes() const override { return kNotifyAttributes; }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name == "message") return resource.value("name");
    return std::nullopt;
  }
  Datum retrieve(Resource&, Attribute&) const override { return Datum::symbol("absent"); }
  // A message of undef or false is not logged.
  bool is_in_sync(Resource&, Attribute& message, const Datum&) const override {
    const Datum& first = message.values.front();
    return first.is_null() || (first.is_boolean() && !first.boolean_value());
  }

  void sync(Resource& resource, Attribute& message) const override {
    std::string text;
    if (message.is_sensitive) {
      text = "Sensitive [value redacted]";
    } else {
      append_logged(text, message.values.front());
    }
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
