function api::relay($x, Callable &$block) { api::yields($x) |$y| { $block.call($y) } }
