#include "types/mismatch.h"
#include "types/built_in_types.h"
#include "types/type_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bunraku;

namespace {

std::string mismatch(std::string_view expected, std::string_view actual) {
  Arena arena;
  return describe_mismatch("it", parse_type(arena, expected, nullptr),
                           parse_type(arena, actual, nullptr));
}

// A function with these parameter types.
class Form {
 public:
  Form(Arena& arena, const std::vector<std::pair<std::string_view, std::string_view>>& parameters,
       int64_t from, int64_t to) {
    std::vector<const Type*> types;
    for (const auto& [name, text] : parameters) {
      types.push_back(parse_type(arena, text, nullptr));
      parameters_.push_back({name, types.back(), false, false});
    }
    type_ = types::callable(arena, types, from, to, nullptr, nullptr);
  }
  Signature signature() const { return {parameters_, type_, {}}; }

 private:
  std::vector<SignatureParameter> parameters_;
  const CallableType* type_;
};

}  // namespace

class NothingDeferred final : public DeferredTypes {
 public:
  const Type* return_type(const ObjectInstance&) override { return nullptr; }
};

TEST_CASE("mismatches: the wording of single types") {
  CHECK(mismatch("Integer", "String") == "it expects an Integer value, got String");
  CHECK(mismatch("Optional[Integer]", "String") ==
        "it expects a value of type Undef or Integer, got String");
  CHECK(mismatch("Integer[1, 5]", "Integer[6, 6]") ==
        "it expects an Integer[1, 5] value, got Integer[6, 6]");
  CHECK(mismatch("Variant[Integer, Boolean, Array]", "String") ==
        "it expects a value of type Integer, Boolean, or Array, got String");
  CHECK(mismatch("Enum[a, b]", "Integer") == "it expects a match for Enum['a', 'b'], got Integer");
  CHECK(mismatch("Array[Integer, 2]", "Tuple[Integer]") ==
        "it expects size to be at least 2, got 1");
  CHECK(mismatch("Struct[{a => Integer}]", "Struct[{b => Integer}]") ==
        " it expects a value for key 'a'\n  it unrecognized key 'b'");
  CHECK(mismatch("Hash[String, Integer]", "Struct[{x => Boolean}]") ==
        "it entry 'x' expects an Integer value, got Boolean");
  CHECK(mismatch("Nosuch", "Integer") == "it references an unresolved type 'Nosuch'");
}

TEST_CASE("mismatches: calls") {
  Arena arena;
  const Form one(arena, {{"a", "Integer"}}, 1, 1);
  const Form two(arena, {{"a", "String"}, {"b", "String"}}, 1, 2);
  const Signature single[] = {one.signature()};
  const Signature both[] = {one.signature(), two.signature()};
  CHECK(describe_call_mismatch("'f'", single, {}, nullptr) == "'f' expects 1 argument, got none");
  const Value wrong[] = {Value::boolean(true)};
  CHECK(describe_call_mismatch("'f'", single, wrong, nullptr) ==
        "'f' parameter 'a' expects an Integer value, got Boolean");
  CHECK(describe_call_mismatch("'f'", both, wrong, nullptr) ==
        "'f' parameter 'a' expects a value of type Integer or String, got Boolean");
  const Value three[] = {Value::string("x"), Value::integer(1), Value::integer(2)};
  CHECK(describe_call_mismatch("'f'", both, three, nullptr) ==
        "'f' expects between 1 and 2 arguments, got 3");
  const Value mixed[] = {Value::string("x"), Value::integer(1)};
  CHECK(describe_call_mismatch("'f'", both, mixed, nullptr) ==
        "The function 'f' was called with arguments it does not accept. It expects one of:\n"
        "  (Integer a)\n"
        "    rejected: expects 1 argument, got 2\n"
        "  (String a, String b?)\n"
        "    rejected: parameter 'b' expects a String value, got Integer");
  const Value right[] = {Value::integer(1)};
  CHECK(describe_call_mismatch("'f'", single, right, &types::kCallable->as<CallableType>()) ==
        "'f' does not expect a block");
}

TEST_CASE("mismatches: parameters by name") {
  Arena arena;
  const SignatureParameter parameters[] = {{"a", types::kInteger, false, false},
                                           {"b", types::kString, true, false}};
  HashBuilder given(arena);
  given.set("x", Value::integer(1));
  given.set("b", Value::integer(2));
  const Value hash = given.finish();
  NothingDeferred deferred;
  CHECK(describe_parameters_mismatch("Class[Foo]", parameters, hash.as_hash(), false, deferred) ==
        "Class[Foo]:\n  has no parameter named 'x'\n  expects a value for parameter 'a'\n"
        "  parameter 'b' expects a String value, got Integer");
  HashBuilder good(arena);
  good.set("a", Value::integer(1));
  CHECK(describe_parameters_mismatch("Class[Foo]", parameters, good.finish().as_hash(), false,
                                     deferred)
            .empty());
}
