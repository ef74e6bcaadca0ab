// The types of the definitions of Object types and type sets.
#pragma once

#include "values/type.h"

namespace bunraku {

// Built once; the types live as long as the process.
struct ObjectSchema {
  const Type* object;          // the hash of Object[{...}]
  const Type* attribute;       // an attribute given as a hash
  const Type* function;        // a function given as a hash
  const Type* function_type;   // Type[Callable]
  const Type* type_set;        // the hash of TypeSet[{...}]
  const Type* qualified_name;  // MyModule::MyType
  const Type* annotation;      // the Object type Annotation
  const Type* uri;             // the text of a URI
  const Type* class_name;      // the second parameter of Runtime[...]
};
const ObjectSchema& object_schema();

}  // namespace bunraku
