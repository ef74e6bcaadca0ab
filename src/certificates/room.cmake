# Keys, certificates, requests, lists of revoked ones, and the authority.
room(certificates
  USES base
  LIBRARIES late_crypto
  FACE authority.h autosign.h error.h host_files.h identifiers.h names.h objects.h verification.h)
