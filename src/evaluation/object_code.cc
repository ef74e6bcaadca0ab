#include "evaluation/object_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conversion/object_construction.h"
#include "evaluation/evaluator.h"
#include "types/built_in_types.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "values/object.h"

namespace bunraku {
namespace {

// A type of an object, and its Ruby code.
struct TypeWithCode {
  const ObjectType* type;
  const RubyTypeCode* code;
};

// The type and its ancestors that have Ruby code, the oldest first.
std::vector<TypeWithCode> chain_of(Evaluator& evaluator, const ObjectType& type) {
  ModuleHost* modules = evaluator.host().modules;
  std::vector<TypeWithCode> chain;
  if (modules == nullptr) return chain;
  for (const ObjectType* at = &type; at != nullptr;
       at = at->parent != nullptr ? object_type_of(at->parent) : nullptr) {
    if (const RubyTypeCode* code = modules->ruby_code_of(at->name)) chain.push_back({at, code});
  }
  std::ranges::reverse(chain);
  return chain;
}

bool has_method(std::span<const TypeWithCode> chain, std::string_view name) {
  return std::ranges::any_of(chain, [name](const TypeWithCode& one) {
    return std::ranges::find(one.code->methods, name) != one.code->methods.end();
  });
}

std::string label_of(const ObjectMember& member) {
  const ObjectType* owner = object_type_of(member.owner);
  return fmt::format("{}[{}]", owner != nullptr ? owner->name : std::string_view(), member.name);
}

bool takes_block(const CallableType& callable, const Block* block) {
  if (callable.parameters == nullptr) return true;
  if (block == nullptr) {
    return callable.block == nullptr || is_instance(callable.block, Value::undef());
  }
  return callable.block != nullptr && is_assignable(callable.block, block->signature().type);
}

void check_function_arguments(const ObjectMember& member, const Call& call) {
  const auto* callable = resolve_alias(member.type)->try_as<CallableType>();
  if (callable == nullptr) return;
  const bool takes_arguments = callable->parameters == nullptr ||
                               is_instance(callable->parameters, Value::array(call.arguments));
  if (takes_arguments && takes_block(*callable, call.block)) return;
  std::vector<SignatureParameter> parameters;
  if (callable->parameters != nullptr) {
    for (const Type* type : callable->parameters->types) {
      parameters.push_back({"", type, false, false});
    }
  }
  const Signature signature{parameters, callable, "block"};
  call.fail(Issue::kCallMismatch,
            {describe_call_mismatch(
                fmt::format("'function {}'", label_of(member)), {&signature, 1}, call.arguments,
                call.block != nullptr ? call.block->signature().type : nullptr)});
}

void check_arguments(const ObjectMember& member, const Call& call) {
  if (member.is_function) {
    check_function_arguments(member, call);
  } else if (!call.arguments.empty()) {
    call.fail(Issue::kCallMismatch, {fmt::format("'attribute {}' expects no arguments, got {}",
                                                 label_of(member), call.arguments.size())});
  } else if (call.block != nullptr) {
    call.fail(Issue::kCallMismatch,
              {fmt::format("'attribute {}' does not expect a block", label_of(member))});
  }
}

// The value of a member without Ruby code.
Value member_value(const ObjectInstance& object, const ObjectMember& member, const Call& call) {
  // The language cannot define the code of a type's function. Error has its own.
  const bool is_message = member.is_function && object_type_of(member.owner) == types::kError;
  if (member.is_function && !is_message) {
    call.fail(Issue::kNoSuchMethod,
              {fmt::format("no method is implemented for function {}", label_of(member))});
  }
  const bool is_derived = member.kind == AttributeKind::kDerived && object.native == nullptr;
  if (is_derived && !is_read_from_ancestor(member)) {
    call.fail(Issue::kNoSuchMethod,
              {fmt::format("no method is implemented for derived attribute {}", label_of(member))});
  }
  const Value* value = find_attribute(object, is_message ? "msg" : member.name);
  return value != nullptr ? *value : Value::undef();
}

// Name => value, in the order of the arguments of `new`: attributes without a default first.
Value attributes_in_order(Arena& arena, const ObjectInstance& object, const ObjectType& type) {
  HashBuilder attributes(arena);
  const std::span<const ObjectMember* const> all = attributes_of(arena, type);
  for (const bool has_default : {false, true}) {
    for (size_t i = 0; i < all.size() && i < object.attributes.size(); ++i) {
      if (all[i]->kind == AttributeKind::kDerived || all[i]->has_value != has_default) continue;
      attributes.set(Value::string(all[i]->name), object.attributes[i]);
    }
  }
  return attributes.finish();
}

// Calls the member in Ruby with the call's arguments.
Value call_ruby_member(const ObjectInstance& object, const ObjectMember& member, Call& call) {
  const ObjectType& type = *object_type_of(object.type);
  RubyHost* ruby = call.evaluator.host().ruby;
  const std::vector<TypeWithCode> chain = chain_of(call.evaluator, type);
  const std::string subject = fmt::format("The data type '{}'", type.name);
  const std::string& file = chain.back().code->file;
  if (ruby == nullptr) {
    call.evaluator.fail(Issue::kRubyUnavailable, call.place,
                        {subject, fmt::format(" ({})", file), "there is none here"});
  }
  ArrayBuilder links(call.arena(), chain.size());
  for (const TypeWithCode& link : chain) {
    links.push(Value::array(call.arena(),
                            {Value::string(link.type->name), Value::string(link.code->file)}));
  }
  ArrayBuilder arguments(call.arena(), call.arguments.size() + 3);
  arguments.push(links.finish());
  arguments.push(Value::string(member.name));
  arguments.push(attributes_in_order(call.arena(), object, type));
  arguments.push_all(call.arguments);
  RubyRequest request;
  request.method = "data_types.call";
  const Value all = arguments.finish();
  request.arguments = all.as_array();
  request.block = call.block;
  request.scope = &call.scope;
  request.place = call.place;
  request.subject = subject;
  request.file = file;
  return ruby->call(request);
}

}  // namespace

bool is_ruby_member(Evaluator& evaluator, const ObjectType& type, const ObjectMember& member) {
  const std::vector<TypeWithCode> chain = chain_of(evaluator, type);
  return !chain.empty() && has_method(chain, member.name);
}

Value call_object_member(const ObjectInstance& object, const ObjectMember& member, Call& call) {
  if (member.is_function && object.native != nullptr) {
    return object.native->call_method(member.name, call);
  }
  check_arguments(member, call);
  if (is_ruby_member(call.evaluator, *object_type_of(object.type), member)) {
    return call_ruby_member(object, member, call);
  }
  return member_value(object, member, call);
}

}  // namespace bunraku
