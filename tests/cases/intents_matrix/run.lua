require('matrix_intents')(require 'intents_matrix', 'C')
