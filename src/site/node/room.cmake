# Facts, trusted data and classification of a node.
room(site/node
  USES base validation values functions
  FACE commands.h facts.h host_addresses.h node.h)
