# A catalog as plain data, with JSON in and out.
room(catalog/document
  USES base
  FACE catalog_document.h catalog_relations.h catalog_writer.h)
