class api($p = 1) { $inner = 'of api' }
