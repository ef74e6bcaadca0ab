node default { } node 'a', /b/, c.d.e inherits f { notify { 'x': } }
class a::b($x, String $y = "z") inherits c { class d {} define e { } }
define foo($a = 1, $b) { }
