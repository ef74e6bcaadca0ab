# Answers to agents.
room(server
  USES base syntax serialization site/settings site/node site/environment site/file_serving net
       certificates store compilation
  FACE bootstrap.h configuration.h server.h)
