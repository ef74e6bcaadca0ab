class api::other { include api }
