class m($p = "default") { notice("m ${p} ${trusted[certname]} ${facts[k]}") class inner { } }
