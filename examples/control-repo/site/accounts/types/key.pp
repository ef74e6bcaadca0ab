# A public key as in an authorized_keys file, without its comment.
type Accounts::Key = Struct[{
  type              => Enum['ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256'],
  key               => String[16],
  Optional[options] => Array[String[1]],
}]
