// The last phase: every resource is finished, and metaparameters and tags are inherited along
// containment.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/text/suggestion.h"
#include "catalog/compiler/compiler.h"
#include "catalog/compiler/errors.h"

namespace bunraku {
namespace {

// The metaparameters that a container passes down (all but relationships), in the order in which it
// got them: those of its own container first.
struct Inherited {
  static constexpr size_t kMost = 8;
  struct Entry {
    size_t name;  // its index in inherited_names()
    Value value;
  };

  std::span<const Entry> all() const { return {entries.data(), size}; }
  void set(size_t name, Value value) {
    Entry* const end = entries.data() + size;
    Entry* const same =
        std::find_if(entries.data(), end, [&](const Entry& entry) { return entry.name == name; });
    if (same == end) ++size;
    *same = {name, value};
  }

  std::array<Entry, kMost> entries{};
  size_t size = 0;
};

const std::vector<Name>& inherited_names() {
  static const std::vector<Name>* const names = [] {
    auto* found = new std::vector<Name>;
    for (const Name name : metaparameters()) {
      if (!is_relationship_metaparameter(name)) found->push_back(name);
    }
    return found;
  }();
  return *names;
}

// Returns the name that was probably meant by a wrong one; empty when none is similar.
std::string_view closest_attribute(const NativeType& type, Name wrong) {
  std::vector<std::string_view> known;
  const auto add = [&](std::span<const Name> names) {
    for (const Name name : names) known.push_back(name.text());
  };
  add(type.properties);
  add(type.all_parameters());
  add(metaparameters());
  return closest_name(wrong.text(), known);
}

}  // namespace

void Compiler::finish_resources() {
  overrides_.begin_late();
  const std::vector<Resource*>& resources = declarations_.resources();
  for (size_t i = 0; i < resources.size(); ++i) {
    overrides_.apply_late(*resources[i]);
    finish(*resources[i]);
  }
  overrides_.end_late();
}

void Compiler::finish(Resource& resource) {
  if (resource.is_finished) return;
  resource.is_finished = true;
  bodies_.finish_evaluation(resource);
  for (ResourceParameter& parameter : resource.parameters) {
    if (!parameter.value.is_sensitive()) continue;
    resource.sensitive.push(state_.arena, parameter.name);
    parameter.value = parameter.value.as_sensitive();
  }
  validate(resource);
}

void Compiler::validate(Resource& resource) {
  if (resource.native == nullptr) {
    if (resource.definition == nullptr || resource.definition->is_node()) return;
    if (resource.is_evaluated && !resource.is_overridden) return;
    std::vector<VariableTable::Binding> values;
    for (const ResourceParameter& parameter : resource.parameters) {
      const bool was_sensitive = resource.is_sensitive(parameter.name);
      values.push_back({parameter.name, was_sensitive
                                            ? Value::sensitive(state_.arena, parameter.value)
                                            : parameter.value});
    }
    bodies_.check_parameters(resource, *resource.definition, values);
    return;
  }
  for (const ResourceParameter& parameter : resource.parameters) {
    if (resource.native->has_attribute(parameter.name)) continue;
    const std::string where = location_text(resource);
    Range range = resource.place.range();
    range.is_whole_line = true;
    Diagnostic diagnostic =
        make_diagnostic(Issue::kUnknownParameter, std::move(range),
                        {std::string(parameter.name.text()), where.empty() ? "" : " " + where,
                         resource.reference()});
    const std::string_view meant = closest_attribute(*resource.native, parameter.name);
    std::string hint =
        meant.empty() ? "there is no such parameter" : fmt::format("did you mean '{}'?", meant);
    if (parameter.place.program != nullptr) {
      diagnostic.labels.push_back({parameter.place.range(), std::move(hint)});
    } else if (!meant.empty()) {
      diagnostic.notes.push_back(std::move(hint));
    }
    throw EvaluationError(std::move(diagnostic), ErrorKind::kError);
  }
}

// Visits resources breadth first from the main class, along containment.
void Compiler::propagate_metaparameters() {
  const std::vector<Name>& names = inherited_names();
  const size_t count = state_.catalog.resources().size();
  std::vector<int32_t> data_of(count, -1);
  std::vector<Inherited> data;
  std::vector<bool> seen(count, false);
  const auto add_own = [&](const Resource& resource, Inherited& values) {
    std::array<Value, Inherited::kMost> own{};
    bool any = false;
    for (const ResourceParameter& parameter : resource.parameters) {
      if (parameter.value.is_undef()) continue;
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i] == parameter.name) own[i] = parameter.value, any = true;
      }
    }
    for (size_t i = 0; any && i < names.size(); ++i) {
      if (!own[i].is_undef()) values.set(i, own[i]);
    }
    return any;
  };
  std::vector<Resource*> queue{state_.main};
  for (size_t at = 0; at < queue.size(); ++at) {
    const Resource& source = *queue[at];
    if (seen[source.number]) continue;
    seen[source.number] = true;
    if (data_of[source.number] < 0) {
      Inherited values;
      if (add_own(source, values)) {
        data_of[source.number] = static_cast<int32_t>(data.size());
        data.push_back(values);
      }
    }
    for (Resource* target : source.contained) {
      if (data_of[source.number] >= 0) {
        Inherited values = data[static_cast<size_t>(data_of[source.number])];
        for (const Inherited::Entry& entry : values.all()) {
          if (!target->value_of(names[entry.name]).is_undef()) continue;
          const ResourceParameter parameter{names[entry.name], entry.value, target->source,
                                            Place{}};
          state_.recorder.change(*target, parameter, Origin::kContainer, &source);
          attributes_.store_parameter(*target, parameter);
        }
        add_own(*target, values);
        if (data_of[target->number] < 0) {
          data_of[target->number] = static_cast<int32_t>(data.size());
          data.push_back(values);
        } else {
          data[static_cast<size_t>(data_of[target->number])] = values;
        }
      }
      target->tags.merge(state_.arena, source.tags);
      queue.push_back(target);
    }
  }
}

}  // namespace bunraku
