# HTTP/1.1 and TLS, as server and as client.
room(net
  USES base
  LIBRARIES late_resolv late_ssl late_zlib ${DEFLATE}
  FACE compression.h http_client.h http_server.h message.h message_parser.h proxy.h service_records.h
       tls.h url.h)
