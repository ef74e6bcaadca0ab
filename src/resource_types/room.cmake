# What is known of each resource type.
room(resource_types
  USES base values
  FACE native_type.h type_descriptions.h)
