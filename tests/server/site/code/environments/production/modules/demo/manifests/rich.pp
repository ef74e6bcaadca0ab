# Values that plain JSON has no words for.
class demo::rich {
  notify { 'sensitive': message => Sensitive('secret') }
  notify { 'time': message => Timestamp('2024-01-02T03:04:05 UTC') }
  notify { 'pattern': message => /a.*b/ }
  notify { 'span': message => Timespan('1-02:03:04') }
  notify { 'version': message => SemVer('1.2.3') }
  notify { 'later': message => Deferred('sprintf', ['%s', 'x']) }
  notify { 'default': message => [default, 1.0, undef] }
  notify { 'bytes': message => Binary('AQID') }
  notify { 'type': message => Integer[1, 2] }
}
