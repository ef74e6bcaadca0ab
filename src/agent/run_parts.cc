// Identifiers and facts.
#include "agent/run_parts.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "base/formats/yaml_writer.h"

namespace bunraku::agent {

std::string random_uuid() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) {
    throw std::runtime_error("The system has no random numbers");
  }
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

std::string fact_text(const DataNode& facts, std::string_view name) {
  const DataNode* node = &facts;
  while (!name.empty()) {
    const size_t dot = name.find('.');
    node = node->find(name.substr(0, dot));
    if (node == nullptr) return {};
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
  }
  switch (node->kind()) {
    case DataKind::kString:
      return std::string(node->text_value());
    case DataKind::kInteger:
      return std::to_string(node->integer_value());
    case DataKind::kBoolean:
      return node->boolean_value() ? "true" : "false";
    default:
      return {};
  }
}

std::string summary_text(const apply::Report& report, const std::string& initial_environment) {
  using apply::Datum;
  const auto replaced = [](const Datum& hash, std::string_view key, const Datum& value) {
    Datum::Entries entries = hash.entries();
    for (auto& [name, old] : entries) {
      if (name.text() == key) old = value;
    }
    return Datum::hash(std::move(entries));
  };
  const Datum summary = report.summary("agent");
  const Datum* const application = summary.find("application");
  YamlWriter yaml;
  write_yaml(yaml, application == nullptr ? summary
                                          : replaced(summary, "application",
                                                     replaced(*application, "initial_environment",
                                                              Datum::string(initial_environment))));
  return yaml.finish();
}

}  // namespace bunraku::agent
