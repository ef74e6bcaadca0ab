# A web site: its names, and either a directory to serve or servers to forward requests to.
type Profile::Site = Variant[
  Struct[{
    names             => Array[Stdlib::Fqdn, 1],
    root              => Stdlib::Absolutepath,
    Optional[tls]     => Boolean,
    Optional[headers] => Hash[String[1], String],
  }],
  Struct[{
    names             => Array[Stdlib::Fqdn, 1],
    upstream          => Array[Pattern[/\A[^:]+:\d+\z/], 1],
    Optional[tls]     => Boolean,
    Optional[headers] => Hash[String[1], String],
  }]
]
