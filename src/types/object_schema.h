// The types that the definitions of Object types and type sets must fit.
#pragma once

#include "values/type.h"

namespace bunraku {

// Built once; they live as long as the process.
struct ObjectSchema {
  const Type* object;          // the hash of Object[{...}]
  const Type* attribute;       // of an attribute that is given as a hash
  const Type* function;        // of a function that is given as a hash
  const Type* function_type;   // Type[Callable]
  const Type* type_set;        // the hash of TypeSet[{...}]
  const Type* qualified_name;  // MyModule::MyType
  const Type* annotation;      // the Object type Annotation
  const Type* uri;             // the text of a URI
  const Type* class_name;      // the second parameter of Runtime[...]
};
const ObjectSchema& object_schema();

}  // namespace bunraku
