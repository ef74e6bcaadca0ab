# Features that are specific to plans.
bunraku eval --tasks -e "apply('web01') { notify { 'b': } }" 2>&1 || true
bunraku eval -e "apply('web01')" 2>&1 || true
