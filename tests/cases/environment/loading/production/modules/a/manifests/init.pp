class a {
  notice("a in ${module_name}")
  class inner { notice('a::inner, nested') }
}
class a::beside { notice('a::beside in init.pp') }
define a::thing($x = 1) { notice("thing ${title} ${x}") }
