import intents_matrix
from matrix_intents import check

check(intents_matrix, "C")
