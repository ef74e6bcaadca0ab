# One port, several, or a range of them.
type Packetfilter::Ports = Variant[
  Stdlib::Port,
  Array[Stdlib::Port, 1],
  Pattern[/\A\d+-\d+\z/]
]
