function api::twice(Integer $x) >> Integer { $x * 2 }
