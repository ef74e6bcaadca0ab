# A host that a server describes.
room(agent
  USES base site/settings catalog/document apply/reports apply/transaction apply/providers net
       certificates
  FACE agent.h certificate_actions.h client_settings.h host_certificates.h server_bucket.h)
