import intents_fortran
from matrix_intents import check

check(intents_fortran, "F")
