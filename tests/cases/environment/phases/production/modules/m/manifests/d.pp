define m::d() { notice("${title} is evaluated") notify { "of ${title}": } }
