require('matrix_intents')(require 'intents_fortran', 'F')
