class m::file { notice("never seen") }
