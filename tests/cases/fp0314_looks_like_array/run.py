import fp0314_looks_like_array as m

assert m.forgotten(2, 3) == m.meant(2, 3) == 8
