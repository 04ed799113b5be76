C     Two routines in fixed form, with the intents of Fortran 90.
      SUBROUTINE SMOOTH(N, X, Y,
     &                  WIDTH)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      INTEGER N, WIDTH
      DIMENSION X(N), Y(N)
      INTENT(IN) :: N, X, WIDTH
      INTENT(OUT) :: Y
      DO 10 I = 1, N
         S = 0
         M = 0
         DO 20 K = MAX(1, I - WIDTH), MIN(N, I + WIDTH)
            S = S + X(K)
            M = M + 1
 20      CONTINUE
         Y(I) = S / M
 10   CONTINUE
      END

*     Without intents, nothing is known of X.
      SUBROUTINE OLD(N, X)
      REAL X(N)
      X(1) = N
      END

      DOUBLE PRECISION FUNCTION HALF(X)
      DOUBLE PRECISION X
      INTENT(IN) :: X
      HALF = X / 2
      END FUNCTION
