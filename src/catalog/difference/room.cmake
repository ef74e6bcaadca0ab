# Catalog documents compared and drawn.
room(catalog/difference
  USES base catalog/document
  FACE catalog_graph.h difference_report.h)
