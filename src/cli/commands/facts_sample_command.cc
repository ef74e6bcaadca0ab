// `facts sample`
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/formats/json.h"
#include "base/text/replacement.h"
#include "base/text/suggestion.h"
#include "cli/commands/commands.h"
#include "cli/commands/fact_samples.h"
#include "cli/frame/node_facts.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

constexpr FactSample kSamples[] = {
    {"almalinux-9", "AlmaLinux 9 (and other Enterprise Linux)", almalinux_9_facts},
    {"debian-12", "Debian 12 (bookworm)", debian_12_facts},
    {"ubuntu-24.04", "Ubuntu 24.04 LTS (noble)", ubuntu_24_04_facts},
    {"windows-2022", "Windows Server 2022", windows_2022_facts},
};

struct SampleOptions {
  std::string name;
  std::string node;
  std::string directory;
  bool saves = false;
};

const FactSample& sample_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const FactSample& sample : kSamples) {
    if (sample.name == name) return sample;
    names.push_back(sample.name);
  }
  const std::string_view close = closest_name(name, names);
  throw UsageError(
      close.empty() ? fmt::format("there are no facts of '{}'; `bunraku facts sample` lists "
                                  "those there are",
                                  name)
                    : fmt::format("there are no facts of '{}'; did you mean '{}'?", name, close));
}

std::string json_string(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

// The sample with the name of another node.
std::string renamed(std::string text, const std::string& node) {
  const size_t dot = std::min(node.find('.'), node.size());
  const std::string domain = dot == node.size() ? "" : node.substr(dot + 1);
  text = replaced(text, "\"sample.example.com\"", json_string(node));
  text = replaced(text, "\"hostname\": \"sample\"",
                  "\"hostname\": " + json_string(node.substr(0, dot)));
  text = replaced(text, "\"domain\": \"example.com\"", "\"domain\": " + json_string(domain));
  return text;
}

int list_samples(Session& session) {
  if (session.format_or("text") == "json") {
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    json.begin_object();
    for (const FactSample& sample : kSamples) json.member(sample.name, sample.system);
    json.end_object();
    session.print(text + "\n");
    return kExitSuccess;
  }
  for (const FactSample& sample : kSamples) {
    session.print(fmt::format("{:<14}{}\n", sample.name, sample.system));
  }
  return kExitSuccess;
}

int show_sample(const SampleOptions& options, Session& session) {
  if (options.name.empty()) return list_samples(session);
  std::string text(sample_named(options.name).text());
  if (!options.node.empty()) text = renamed(std::move(text), options.node);
  if (!options.saves && options.directory.empty()) {
    session.print(text);
    return kExitSuccess;
  }
  if (options.node.empty()) throw UsageError("--node says whose facts are saved");
  const std::string directory = directory_for_facts(session, options.directory);
  // Only another sample is replaced.
  const auto may_replace = [&](std::string_view existing) {
    return std::ranges::any_of(kSamples, [&](const FactSample& sample) {
      return existing == renamed(std::string(sample.text()), options.node);
    });
  };
  session.print(save_facts(directory, options.node, text, may_replace) + "\n");
  return kExitSuccess;
}

}  // namespace

std::span<const FactSample> fact_samples() {
  return kSamples;
}

Command make_facts_sample_command() {
  auto options = std::make_shared<SampleOptions>();
  Command command("facts sample", "Facts of a common system, to compile with");
  command.details(
      "Prints a set of core facts that comes with the program, for a node of which no facts are at "
      "hand: a plain virtual machine in networks kept for documentation. Without a name the sets "
      "are listed.");
  command.argument("[SYSTEM]", "the set to print", options->name);
  command.option("--node NAME", "the node whose facts they are; sample.example.com otherwise",
                 options->node);
  command.flag("--save", "write them to facts/NODE.json of the repository; other facts are kept",
               options->saves);
  command.option("--into DIR", "write them to DIR/NODE.json", options->directory);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.example("bunraku facts sample", "lists the systems");
  command.example("bunraku facts sample debian-12 --node web01.example.com --save",
                  "from now on `bunraku catalog compile web01.example.com` has facts");
  command.run([options](Session& session) { return show_sample(*options, session); });
  return command;
}

}  // namespace bunraku
