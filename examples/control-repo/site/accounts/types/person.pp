# One user, as described by data.
type Accounts::Person = Struct[{
  uid              => Accounts::Uid,
  Optional[ensure] => Enum[present, absent],
  Optional[groups] => Array[Accounts::Name],
  Optional[shell]  => Stdlib::Absolutepath,
  Optional[home]   => Stdlib::Absolutepath,
  Optional[email]  => Stdlib::Email,
  Optional[teams]  => Array[String[1], 1],
  Optional[keys]   => Hash[String[1], Accounts::Key],
}]
