// `resource`: shows this host's resources as code, and changes single resources.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apply/transaction/run.h"
#include "base/formats/yaml_writer.h"
#include "base/system/version.h"
#include "base/text/utf8.h"
#include "cli/commands/apply_support.h"
#include "cli/commands/commands.h"
#include "cli/commands/resource_editing.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "compilation/service.h"
#include "facts/core_facts.h"
#include "resource_types/native_type.h"
#include "site/environment/module_names.h"

namespace bunraku {
namespace {

struct ResourceOptions {
  std::string type;
  std::string name;
  std::vector<std::string> changes;
  std::vector<std::string> parameters;  // parameters shown with the properties
  bool is_yaml = false;
  bool edits = false;
  bool fails = false;
  bool lists_types = false;
};

// A resource in its present state: its title and its properties.
struct Shown {
  std::string type;
  std::string title;
  std::vector<std::pair<std::string, apply::Datum>> properties;
};

// The shown attributes of a resource: its properties, its provider and the requested parameters,
// sorted by name with ensure first, without those that have no value.
std::vector<std::pair<std::string, apply::Datum>> shown_properties(const Shown& shown) {
  auto properties = shown.properties;
  std::erase_if(properties, [](const auto& property) {
    const apply::Datum& value = property.second;
    return value.to_text().empty() || (value.is_array() && value.items().empty()) ||
           (value.is_symbol("absent") && property.first != "ensure");
  });
  std::ranges::sort(properties, {}, [](const auto& property) {
    return std::pair(property.first != "ensure", property.first);
  });
  return properties;
}

std::string code_of(const Shown& shown) {
  const auto properties = shown_properties(shown);
  size_t width = 0;
  for (const auto& [name, value] : properties) width = std::max(width, name.size());
  std::string title;
  for (const char c : shown.title) {
    if (c == '\'') title += '\\';
    title += c;
  }
  std::string text = fmt::format("{} {{ '{}':\n", shown.type, title);
  for (const auto& [name, value] : properties) {
    text += fmt::format("  {:<{}} => {},\n", name, width, value.to_display());
  }
  return text + "}\n";
}

// As in the reference, an empty list is printed as an empty line.
std::string code_of(const std::vector<Shown>& all) {
  std::string text;
  for (const Shown& shown : all) text += code_of(shown);
  return text.empty() ? "\n" : text;
}

class ResourceRun {
 public:
  ResourceRun(const ResourceOptions& options, Session& session)
      : options_(options),
        session_(session),
        sink_(session, false),
        log_(sink_),
        service_(session.load_settings("user"), compilation_inputs(session.options()),
                 without_manifests()),
        environment_(service_.environment("", &sink_)),
        run_options_(run_options(service_.settings())),
        sources_(*environment_, service_.settings(), &sink_),
        host_(apply::make_host([this](std::string_view name) { return fact(name); })),
        types_(
            session.options().ruby, service_.settings(), *environment_,
            [&session] {
              // The process resolves custom facts that its code asks for.
              Arena arena;
              return datum_of(agent_facts_of_host(session, arena, "user", false));
            },
            log_),
        context_{run_options_, *host_, sources_, log_, types_.registry()} {
    run_options_.is_host_config = false;
  }

  int run() {
    if (options_.lists_types) return list_types();
    if (options_.type.empty()) throw UsageError("You must specify the type to display");
    if (options_.edits && options_.is_yaml) {
      throw UsageError("Editing with Yaml output is not supported");
    }
    try {
      const apply::ResourceType* type = context_.types.find(downcase(options_.type));
      if (type == nullptr || type->is_container()) {
        return session_.fail(ErrorKind::kError,
                             fmt::format("Could not find type {}", options_.type));
      }
      if (options_.name.empty()) return list(*type);
      return options_.changes.empty() ? show(*type) : change(*type);
    } catch (const apply::Failure& failure) {
      return session_.fail(ErrorKind::kError, failure.message());
    }
  }

 private:
  std::string fact(std::string_view name) {
    if (facts_ == nullptr) {
      facts_ = std::make_unique<facts::FactSet>(arena_);
      facts::collect_core_facts(facts::Machine(), *facts_);
      hash_ = facts_->as_hash(false);
    }
    const DataNode* node = &hash_;
    while (node != nullptr && !name.empty()) {
      const size_t dot = name.find('.');
      node = node->find(name.substr(0, dot));
      name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
    }
    return node != nullptr && node->is(DataKind::kString) ? std::string(node->text_value())
                                                          : std::string();
  }

  int list_types() {
    std::vector<std::string> names = names_in_modules(*environment_, NameKind::kResourceType);
    for (const NativeType& type : native_types()) {
      if (!type.needs_module && type.name.text() != "component") {
        names.emplace_back(type.name.text());
      }
    }
    std::ranges::sort(names);
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    for (const std::string& name : names) session_.print(name + "\n");
    return kExitSuccess;
  }

  // Prints the resources, or lets the user edit and apply them. Returns the exit code.
  int present(std::vector<Shown> all) {
    if (options_.edits) {
      for (Shown& shown : all) leave_out_read_only(shown);
      return edit_and_apply(code_of(all), session_);
    }
    session_.print(options_.is_yaml ? yaml_of(all) : code_of(all));
    return kExitSuccess;
  }

  void leave_out_read_only(Shown& shown) {
    const apply::ResourceType& type = *context_.types.find(downcase(options_.type));
    std::erase_if(shown.properties, [&](const auto& property) {
      const apply::AttributeInfo* info = type.find_attribute(property.first);
      return info != nullptr && info->is_read_only;
    });
  }

  std::string yaml_of(const std::vector<Shown>& all) const {
    YamlWriter yaml;
    yaml.begin_mapping();
    yaml.string(options_.type);
    yaml.begin_mapping();
    for (const Shown& shown : all) {
      yaml.string(shown.title);
      yaml.begin_mapping();
      for (const auto& [name, value] : shown_properties(shown)) {
        yaml.string(name);
        const bool is_text = value.is_symbol() || value.kind() == apply::DatumKind::kTime;
        apply::write_yaml(yaml, is_text ? apply::Datum::string(value.to_text()) : value);
      }
      yaml.end_mapping();
    }
    yaml.end_mapping();
    yaml.end_mapping();
    return yaml.finish();
  }

  int list(const apply::ResourceType& type) {
    if (type.name() == "file") {
      return session_.fail(ErrorKind::kError,
                           "Listing all file instances is not supported.  Please specify a file or "
                           "directory, e.g. puppet resource file /etc");
    }
    std::vector<Shown> all;
    for (apply::Instance& instance : type.instances(context_)) {
      if (!instance.is_complete || !options_.parameters.empty()) {
        apply::ResourceData given;
        if (!instance.provider.empty()) {
          given.attributes.emplace_back("provider", apply::Datum::string(instance.provider));
        }
        all.push_back(look_at(type, instance.title, given));
        continue;
      }
      instance.properties.emplace_back("provider", apply::Datum::string(instance.provider));
      all.push_back({std::string(type.name()), instance.title, std::move(instance.properties)});
    }
    std::ranges::sort(all, {}, &Shown::title);
    return present(all);
  }

  // Retrieves properties of one resource; `given` has attributes that locate it, such as its
  // provider or target.
  Shown look_at(const apply::ResourceType& type, const std::string& title,
                const apply::ResourceData& given = {},
                const apply::Datum& properties = apply::Datum::string("all")) {
    apply::Catalog catalog(context_);
    apply::ResourceData data = given;
    data.title = title;
    data.attributes.emplace_back("audit", properties);
    apply::Resource& resource =
        catalog.add(std::make_unique<apply::Resource>(type, std::move(data), catalog));
    if (!resource.is_suitable()) {
      throw apply::Failure(fmt::format("Could not find a suitable provider for {}", type.name()));
    }
    for (const std::string& name : resource.audited()) resource.add(name);
    if (resource.provider_kind() != nullptr && resource.provider_kind()->can_prefetch()) {
      apply::Resource* pointer = &resource;
      resource.provider_kind()->prefetch(context_, std::span(&pointer, 1));
    }
    Shown shown{std::string(type.name()), resource.title(), {}};
    for (auto& [name, value] : type.retrieve_all(resource)) {
      if (!value.is_symbol("notlink")) shown.properties.emplace_back(name, value);
    }
    if (resource.provider_kind() != nullptr) {
      shown.properties.emplace_back("provider",
                                    apply::Datum::string(resource.provider_kind()->name()));
    }
    for (const std::string& name : options_.parameters) {
      if (name != "provider" && type.find_attribute(name) != nullptr) {
        shown.properties.emplace_back(name, resource.value(name));
      }
    }
    return shown;
  }

  int show(const apply::ResourceType& type) {
    // A type that cannot list its resources throws the reason here.
    if (!type.can_list() && type.name() != "file") type.instances(context_);
    apply::ResourceData given;
    if (const auto* kind = type.provider_listing(context_, options_.name)) {
      given.attributes.emplace_back("provider", apply::Datum::string(kind->name()));
    }
    return present({look_at(type, options_.name, given)});
  }

  int change(const apply::ResourceType& type) {
    apply::Catalog catalog(context_);
    apply::ResourceData data;
    data.title = options_.name;
    apply::Datum::List changed;
    for (const std::string& change : options_.changes) {
      const size_t equals = change.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw UsageError(fmt::format("Invalid parameter setting {}", change));
      }
      const std::string name = change.substr(0, equals);
      data.attributes.emplace_back(name, apply::Datum::string(change.substr(equals + 1)));
      const apply::AttributeInfo* info = type.find_attribute(name);
      if (info != nullptr && info->kind == apply::AttributeKind::kProperty) {
        changed.push_back(apply::Datum::string(name));
      }
    }
    catalog.add(std::make_unique<apply::Resource>(type, apply::ResourceData(data), catalog));
    apply::Report report;
    // The message at the end of a run is not shown.
    const bool is_done = apply::apply_resources(catalog, report);
    // Only the changed properties are shown.
    const int exit_code =
        present({look_at(type, options_.name, data, apply::Datum::array(std::move(changed)))});
    return options_.fails && (!is_done || report.has_failures()) ? kExitFailure : exit_code;
  }

  const ResourceOptions& options_;
  Session& session_;
  ConsoleSink sink_;
  apply::RunLog log_;
  compilation::Service service_;
  std::shared_ptr<Environment> environment_;
  apply::RunOptions run_options_;
  MountSources sources_;
  Arena arena_;
  std::unique_ptr<facts::FactSet> facts_;
  DataNode hash_;
  std::unique_ptr<apply::Host> host_;
  HostTypes types_;
  apply::Context context_;
};

}  // namespace

Command make_resource_command() {
  auto options = std::make_shared<ResourceOptions>();
  Command command("resource", "What this host has, as code, and changes of single resources");
  command.argument("[TYPE]", "a resource type", options->type);
  command.argument("[NAME]", "one resource; all that can be listed when left out", options->name);
  command.argument("[CHANGES...]", "ATTRIBUTE=VALUE: what the resource is to be", options->changes);
  command.flag("-e, --edit", "edit the code with $EDITOR, or vi, and apply what it is then",
               options->edits);
  command.flag("-y, --to_yaml", "as YAML, as Hiera has resources", options->is_yaml);
  command.option("-p, --param NAME", "show this parameter, too; may be repeated",
                 options->parameters);
  command.flag("-t, --types", "list the types that there are", options->lists_types);
  command.flag("-f, --fail", "exit with 1 when the change has failed", options->fails);
  command.details("The exit code is 0, and 1 for a type that is not known; see --fail.");
  command.example("bunraku resource file /etc/hosts", "the file as code");
  command.example("bunraku resource file /tmp/x ensure=absent", "removes the file");
  command.example("EDITOR=nano bunraku resource cron --edit",
                  "all cron jobs, to be changed by hand");
  command.run([options](Session& session) {
    int exit_code = kExitFailure;
    auto task = [&] { exit_code = ResourceRun(*options, session).run(); };
    run_on_large_stack(task);
    return exit_code;
  });
  return command;
}

}  // namespace bunraku
