import const_in_configuration as m
from support import same

assert m.dot([1, 2], [3, 4]) == 11 and m.exact([3, 4]) == 25
same(m.add([1, 2], [3.5, 4]), [4.5, 6])
