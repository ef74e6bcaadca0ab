# Keys, certificates, requests, lists of revoked ones, and the authority.
room(certificates
  USES base
  LIBRARIES OpenSSL::Crypto
  FACE authority.h autosign.h error.h host_files.h identifiers.h names.h objects.h verification.h)
