// The methods that templates may call, by name and by the class of the receiver. A method that is
// missing here needs a worker.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ruby/erb/object.h"
#include "ruby/erb/tree.h"

namespace bunraku::erb {

class Interpreter;

struct Arguments {
  std::span<const Object> values;
  const BlockNode* block;  // may be null

  size_t size() const { return values.size(); }
  const Object& operator[](size_t at) const { return values[at]; }
};

enum class BlockUse : uint8_t { kNever, kMay, kMust };
constexpr uint8_t kAnyCount = 255;
// A method that no code can name: it is called on the value of each constant.
constexpr std::string_view kConstantMethod = "constant value";

struct Method {
  Class receiver;
  std::string_view name;
  uint8_t least;  // arguments
  uint8_t most;
  BlockUse block;
  Object (*call)(Interpreter& ruby, Object self, const Arguments& arguments);
  // Set for methods of Enumerable: the receiver is converted to an array first.
  bool converts_receiver = false;
};

struct MethodSet {
  std::string_view name;
  // Methods of the name change an array or hash that they are called on.
  bool changes_receiver = false;
  // Methods of the name return what they were called on.
  bool returns_receiver = false;
  const Method* methods[kClassCount] = {};

  const Method* of(Class type) const { return methods[static_cast<size_t>(type)]; }
  // Returns whether the method of a class takes so many arguments. `known` is the class of the
  // receiver; kAny means unknown, and then any class will do.
  bool takes(Class known, size_t arguments, bool has_block) const;
};

// Returns null when no class has a method of the name.
const MethodSet* find_methods(std::string_view name);

// Returns kNone when the constant is not known.
Class find_class(std::string_view name);
std::string_view class_name(const Object& object);
std::string_view class_name(Class constant);

// The families of methods, a file each.
std::span<const Method> object_methods();
std::span<const Method> number_methods();
std::span<const Method> string_methods();
std::span<const Method> string_search_methods();
std::span<const Method> array_methods();
std::span<const Method> enumeration_methods();
std::span<const Method> hash_methods();
std::span<const Method> template_methods();
std::span<const Method> library_methods();
std::span<const Method> address_methods();
std::span<const Method> uri_methods();
std::span<const Method> time_methods();

// Fails with an obstacle unless the receiver is the constant `wanted`, the only one whose method of
// that name is supported.
void expect(Interpreter& ruby, const Object& self, Class wanted, std::string_view method);

// Time#to_s
std::string time_text(Interpreter& ruby, const TimeObject& time);
// IPAddr.new(text)
Object make_address(Interpreter& ruby, const Arguments& arguments);
// URI(text) and URI.parse(text)
Object make_uri(Interpreter& ruby, const Object& text);

// Compiles a pattern with Ruby's options, a subset of "mix". Throws RegexError.
const Regex* compile_regex(std::string_view source, std::string_view options);

}  // namespace bunraku::erb
