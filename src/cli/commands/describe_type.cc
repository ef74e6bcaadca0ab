#include "cli/commands/describe_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "apply/providers/registry.h"
#include "base/formats/json.h"
#include "base/regex/regex.h"
#include "cli/frame/help.h"
#include "resource_types/native_type.h"
#include "resource_types/type_descriptions.h"

namespace bunraku {
namespace {

using apply::AttributeInfo;

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Splits "a=b"; the second part is empty without "=".
std::pair<std::string_view, std::string_view> halves_of(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

template <typename Items, typename TextOf>
std::string joined(const Items& items, TextOf text_of) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += text_of(item);
  }
  return text;
}

std::string joined_names(const std::vector<Name>& names) {
  return joined(names, [](Name name) { return name.text(); });
}

// A type with its description and implementation.
class DescribedType {
 public:
  explicit DescribedType(const NativeType& type)
      : type_(type),
        description_(find_type_description(type.name.text())),
        implementation_(apply::native_types_registry().find(type.name.text())) {}

  const NativeType& type() const { return type_; }
  // Null when only names are known.
  const TypeDescription* description() const { return description_; }
  // Null when the type is not native.
  const AttributeInfo* info(std::string_view attribute) const {
    return implementation_ == nullptr ? nullptr : implementation_->find_attribute(attribute);
  }
  std::string attribute_text(std::string_view attribute) const {
    if (description_ == nullptr) return {};
    return complete_text(description_->attribute_text(attribute), info(attribute));
  }
  // The description, completed by the table of attributes.
  std::string complete_text(std::string_view description, const AttributeInfo* info) const;
  std::string_view features_of(const ProviderDescription& provider) const {
    const apply::ProviderKind* kind = implementation_->find_provider(provider.name);
    return kind == nullptr ? std::string_view() : kind->features();
  }

 private:
  std::string needed_feature(std::string_view feature) const;
  bool any_provider_has(std::string_view feature) const {
    return std::ranges::any_of(description_->providers, [&](const ProviderDescription& provider) {
      const std::vector<std::string_view> features = words_in(features_of(provider));
      return std::ranges::find(features, feature) != features.end();
    });
  }

  const NativeType& type_;
  const TypeDescription* description_;
  const apply::ResourceType* implementation_;
};

// "present (or installed), absent, or any other text"
std::string values_text(const AttributeInfo& info) {
  if (info.is_boolean) return "true, false";
  const std::vector<std::string_view> words = words_in(info.values);
  std::string text;
  for (const std::string_view word : words) {
    if (word.find('=') != std::string_view::npos) continue;
    text += (text.empty() ? "" : ", ") + std::string(word);
    for (const std::string_view other : words) {
      const auto [synonym, meant] = halves_of(other);
      if (meant == word) text += fmt::format(" (or {})", synonym);
    }
  }
  if (info.patterns.empty()) return text;
  if (!text.empty()) text += ", or ";
  if (info.patterns == "/./" || info.patterns == "/.*/") return text + "any other text";
  text += "text that matches ";
  bool is_first = true;
  for (const std::string_view pattern : words_in(info.patterns)) {
    text += fmt::format("{}{}", is_first ? "" : " or ", pattern);
    is_first = false;
  }
  return text;
}

std::string default_text(const AttributeInfo& info) {
  if (info.is_present_if_managed) return "present, if another property has a value";
  return std::string(info.default_value);
}

std::string DescribedType::needed_feature(std::string_view feature) const {
  return fmt::format("the feature {}{}.", feature,
                     any_provider_has(feature) ? "" : ", which no provider here has");
}

std::string DescribedType::complete_text(std::string_view description,
                                         const AttributeInfo* info) const {
  std::string text(description);
  if (info == nullptr) return text;
  if (const std::string values = values_text(*info); !values.empty()) {
    text += fmt::format(" Values: {}.", values);
  }
  const std::string default_value = default_text(*info);
  if (!default_value.empty() && description.find("Default:") == std::string_view::npos) {
    text += fmt::format(" Default: {}.", default_value);
  }
  if (!info->feature.empty()) text += " Needs " + needed_feature(info->feature);
  for (const std::string_view needed : words_in(info->value_features)) {
    const auto [value, feature] = halves_of(needed);
    text += fmt::format(" {} needs {}", value, needed_feature(feature));
  }
  return text;
}

// --- as text ---

class TypeText {
 public:
  TypeText(const NativeType& type, const TypeDetail& detail, uint32_t width)
      : described_(type), detail_(detail), width_(width) {}

  std::string take() {
    const NativeType& type = described_.type();
    const TypeDescription* description = described_.description();
    if (description != nullptr && !detail_.is_short) {
      text_ += wrapped(description->text, 2, width_);
    }
    section("Named by", joined_names(type.key_attributes));
    attributes("Properties", type.properties);
    attributes("Parameters", type.parameters);
    if (description != nullptr) providers(description->providers);
    if (detail_.with_metaparameters) show_metaparameters();
    return std::move(text_);
  }

 private:
  void heading(std::string_view title) { text_ += fmt::format("\n  {}\n", title); }
  void section(std::string_view title, const std::string& text) {
    if (text.empty()) return;
    heading(title);
    text_ += wrapped(text, 4, width_);
  }
  void entry(std::string_view name, std::string_view text) {
    text_ += fmt::format("    {}\n{}", name, wrapped(text, 6, width_));
  }

  void attributes(std::string_view title, const std::vector<Name>& names) {
    if (names.empty()) return;
    if (detail_.is_short || described_.description() == nullptr) {
      return section(title, joined_names(names));
    }
    heading(title);
    for (const Name name : names) entry(name.text(), described_.attribute_text(name.text()));
  }

  void providers(const std::vector<ProviderDescription>& all) {
    if (all.empty()) return;
    if (detail_.is_short || !detail_.with_providers) {
      return section("Providers", joined(all, [](const auto& one) { return one.name; }));
    }
    heading("Providers");
    for (const ProviderDescription& provider : all) {
      entry(provider.name, provider.text);
      provider_line("Can be used", provider.suitability);
      provider_line("Default", provider.default_condition);
      provider_line("Features", joined(words_in(described_.features_of(provider)),
                                       [](std::string_view feature) { return feature; }));
    }
  }
  void provider_line(std::string_view title, std::string_view text) {
    if (!text.empty()) text_ += wrapped(fmt::format("{}: {}", title, text), 6, width_);
  }

  void show_metaparameters() {
    if (detail_.is_short) {
      const auto all = metaparameters();
      return section("Metaparameters", joined_names(std::vector<Name>(all.begin(), all.end())));
    }
    heading("Metaparameters");
    for (const AttributeDescription& one : metaparameter_descriptions()) {
      const auto infos = apply::metaparameter_infos();
      const auto info = std::ranges::find(infos, one.name, &AttributeInfo::name);
      entry(one.name, described_.complete_text(one.text, info == infos.end() ? nullptr : &*info));
    }
  }

  DescribedType described_;
  TypeDetail detail_;
  uint32_t width_;
  std::string text_;
};

// --- as JSON ---

void write_words(JsonWriter& json, std::string_view key,
                 const std::vector<std::string_view>& words) {
  if (words.empty()) return;
  json.key(key);
  json.begin_array();
  for (const std::string_view word : words) json.string(word);
  json.end_array();
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<Name>& names) {
  json.key(key);
  json.begin_array();
  for (const Name name : names) json.string(name.text());
  json.end_array();
}

// All allowed words, with synonyms.
std::vector<std::string_view> allowed_words(const AttributeInfo& info) {
  if (info.is_boolean) return {"true", "false"};
  std::vector<std::string_view> words = words_in(info.values);
  for (std::string_view& word : words) word = halves_of(word).first;
  return words;
}

void write_attribute(JsonWriter& json, std::string_view name, std::string_view kind,
                     std::string_view text, const AttributeInfo* info) {
  json.begin_object();
  json.member("name", name);
  json.member("kind", kind);
  if (!text.empty()) json.member("documentation", text);
  if (info != nullptr) {
    write_words(json, "values", allowed_words(*info));
    write_words(json, "patterns", words_in(info->patterns));
    if (!info->default_value.empty()) json.member("default", info->default_value);
    if (!info->feature.empty()) json.member("feature", info->feature);
  }
  json.end_object();
}

void write_attributes(JsonWriter& json, const DescribedType& described) {
  json.key("attributes");
  json.begin_array();
  const auto write = [&](std::string_view kind, const std::vector<Name>& names) {
    for (const Name name : names) {
      write_attribute(json, name.text(), kind, described.attribute_text(name.text()),
                      described.info(name.text()));
    }
  };
  write("property", described.type().properties);
  write("parameter", described.type().parameters);
  json.end_array();
}

void write_providers(JsonWriter& json, const DescribedType& described) {
  json.key("providers");
  json.begin_array();
  for (const ProviderDescription& provider : described.description()->providers) {
    json.begin_object();
    json.member("name", provider.name);
    json.member("documentation", provider.text);
    json.member("suitability", provider.suitability);
    if (!provider.default_condition.empty()) json.member("default", provider.default_condition);
    write_words(json, "features", words_in(described.features_of(provider)));
    json.end_object();
  }
  json.end_array();
}

void write_metaparameters(JsonWriter& json, const DescribedType& described) {
  json.key("metaparameters");
  json.begin_array();
  const auto infos = apply::metaparameter_infos();
  for (const AttributeDescription& one : metaparameter_descriptions()) {
    const auto found = std::ranges::find(infos, one.name, &AttributeInfo::name);
    const AttributeInfo* info = found == infos.end() ? nullptr : &*found;
    write_attribute(json, one.name, "metaparameter", described.complete_text(one.text, info), info);
  }
  json.end_array();
}

}  // namespace

std::string type_text(const NativeType& type, const TypeDetail& detail, uint32_t width) {
  return TypeText(type, detail, width).take();
}

void write_type(JsonWriter& json, const NativeType& type, bool with_metaparameters) {
  const DescribedType described(type);
  json.begin_object();
  json.member("kind", std::string_view("type"));
  json.member("name", type.name.text());
  if (described.description() != nullptr) {
    json.member("documentation", described.description()->text);
  }
  write_names(json, "key_attributes", type.key_attributes);
  write_names(json, "properties", type.properties);
  write_names(json, "parameters", type.parameters);
  json.key("isomorphic");
  json.boolean(type.is_isomorphic);
  json.key("title_patterns");
  json.begin_array();
  for (const TitlePattern& pattern : type.title_patterns) {
    json.begin_object();
    json.member("pattern",
                pattern.pattern == nullptr ? std::string_view("(.*)") : pattern.pattern->source());
    write_names(json, "attributes", pattern.captures);
    json.end_object();
  }
  json.end_array();
  if (described.description() != nullptr) {
    write_attributes(json, described);
    write_providers(json, described);
  }
  if (with_metaparameters) write_metaparameters(json, described);
  json.end_object();
}

std::string_view type_summary(const NativeType& type) {
  const TypeDescription* description = find_type_description(type.name.text());
  if (description == nullptr) return {};
  const std::string_view text = description->text;
  return text.substr(0, std::min(text.find(". "), text.size() - 1));
}

}  // namespace bunraku
