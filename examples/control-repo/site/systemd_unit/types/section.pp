# Keys of one section; a list stands for a key that is given several times.
type Systemd_unit::Section = Hash[
  Pattern[/\A[A-Z][A-Za-z0-9]+\z/],
  Variant[String, Integer, Boolean, Array[Variant[String, Integer]]]
]
