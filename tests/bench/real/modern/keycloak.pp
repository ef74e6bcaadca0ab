# facts: redhat
# Single sign-on: Keycloak with two realms, 40 clients and their mappers.
class { 'keycloak':
  hostname            => 'sso.example.com',
  db                  => 'postgres',
  db_url_host         => 'localhost',
  db_password         => 'secret',
  admin_user_password => 'secret',
  proxy_headers       => 'xforwarded',
  features            => ['token-exchange'],
  truststore          => true,
  truststore_hosts    => { 'ldap.example.com' => { 'certificate' => '/etc/pki/tls/certs/ldap.pem' } },
}
['one', 'two'].each |$realm| {
  keycloak_realm { $realm:
    ensure                   => present,
    remember_me              => true,
    login_with_email_allowed => false,
    smtp_server_host         => 'mail.example.com',
    smtp_server_port         => 587,
  }
  keycloak_ldap_user_provider { "LDAP on ${realm}":
    ensure            => present,
    users_dn          => 'ou=People,dc=example,dc=com',
    connection_url    => 'ldaps://ldap.example.com:636',
    user_object_classes => ['inetOrgPerson', 'person'],
    import_enabled    => false,
  }
  keycloak_ldap_mapper { "full name for LDAP-${realm} on ${realm}":
    ensure         => present,
    type           => 'full-name-ldap-mapper',
    ldap           => "LDAP-${realm}",
    realm          => $realm,
    ldap_attribute => 'gecos',
  }
  keycloak::client_scope::oidc { "basic on ${realm}": realm => $realm, resource_name => 'basic' }
  keycloak::client_scope::saml { "saml on ${realm}": realm => $realm, resource_name => 'saml' }
  Integer[1, 20].each |$number| {
    keycloak_client { "app${number}.example.com on ${realm}":
      ensure                => present,
      redirect_uris         => ["https://app${number}.example.com/*"],
      default_client_scopes => ['basic', 'email', 'profile'],
      secret                => "secret ${number}",
      roles                 => ['reader', 'writer'],
    }
    keycloak_client_protocol_mapper { "groups for app${number}.example.com on ${realm}":
      ensure     => present,
      claim_name => 'groups',
      type       => 'oidc-group-membership-mapper',
    }
  }
}
