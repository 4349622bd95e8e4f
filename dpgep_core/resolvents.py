"""(T₊ + ξI)^-1 X for a symmetric tridiagonal T, from solutions of shifted systems and without its eigenvectors.

T₊ is T without its negative eigenvalues. As a function of an eigenvalue x, 1/(max(x, 0) + ξ) is analytic on each side
of zero, so Cauchy's formula along the imaginary axis gives it. With t = b sc(u, 1 − b²/h²) there, where sc = sn/cn is a
Jacobi function, the midpoint rule in u converges like exp(−π²N/log(4h/b)) for all b ≤ |x| ≤ h (Hale, Higham & Trefethen
2008, Computing A^α, log(A) and related matrix functions by contour integrals; for the sign of x it is Zolotarev's best
rational function). Its N poles ±i s_j do not depend on ξ, so a new ridge needs no new solution.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from dpgep_core.privacy.query import Array

(gtsv,) = linalg.get_lapack_funcs(("gtsv",), dtype=np.complex128)
(stebz,) = linalg.get_lapack_funcs(("stebz",), dtype=np.float64)
ROUNDING_POWER = 33.0  # exp(−33) is below the rounding of a double
LEAST_RIDGE, MOST_RIDGE = 1e-4, 32.0  # times the largest eigenvalue: where the poles serve
NEAREST = 1e-13  # share of the largest eigenvalue that counts as zero
STEP = 8.0  # how finely the nearest one is looked for
IN_A_RANGE = 1  # what LAPACK calls "V"


@dataclass(frozen=True, slots=True, eq=False)
class Resolvents:
    """Solutions of (T − i s_j I) Y_j = X for all poles, from which (T₊ + ξI)^-1 X follows for any ridge they serve.

    Parameters
    ----------
    largest : float
        Bound on the eigenvalues of T.
    sides : array (d, r)
        X.
    shifts, weights : array (N,)
        s_j, and the weights of the midpoint rule.
    solutions : array (N, d·r), complex
        Y_j.
    """

    largest: float
    sides: Array
    shifts: Array
    weights: Array
    solutions: NDArray[np.complex128]

    @classmethod
    def of(cls, diagonal: Array, beside: Array, sides: Array) -> "Resolvents | None":
        """Solve for the tridiagonal matrix with this diagonal and numbers beside it; None if it is zero or NaN."""
        largest = float((np.abs(diagonal) + np.abs(np.append(beside, 0.0)) + np.abs(np.append(0.0, beside))).max())
        if not 0 < largest < math.inf:
            return None
        shifts, weights = poles(_gap(diagonal, beside, largest), MOST_RIDGE * largest)
        above, right = beside.astype(complex), np.asfortranarray(sides, dtype=complex)
        solutions = np.empty((len(shifts), sides.size), dtype=complex)
        for j, shift in enumerate(shifts):
            solutions[j] = gtsv(above, diagonal - 1j * shift, above, right)[3].ravel()
        return cls(largest, sides, shifts, weights, solutions)

    def serve(self, xi: float) -> bool:
        """Whether this ridge is one that the poles are placed for."""
        return LEAST_RIDGE * self.largest <= xi <= MOST_RIDGE * self.largest

    def solved(self, xi: float) -> Array:
        """(d, r) (T₊ + ξI)^-1 X.

        With D(z) = 1/(z + ξ) − 1/ξ, the difference of the function on the two sides of zero, it is
        X/2ξ + ½ Σ_j w_j Re[D(i s_j) (T − i s_j I)^-1] X.
        """
        at = 1j * self.shifts
        found = ((self.weights * (1 / (at + xi) - 1 / xi) / 2) @ self.solutions).real
        return found.reshape(self.sides.shape) + self.sides / (2 * xi)


def poles(low: float, high: float) -> tuple[Array, Array]:
    """(s, w) with Σ_j w_j x/(x² + s_j²) = sign x up to rounding for low ≤ |x| ≤ high.

    sc comes from Landen's transformation, whose arithmetic-geometric means lead from the modulus to a tangent.
    """
    count = math.ceil(math.log(4 * high / low) * ROUNDING_POWER / math.pi**2)
    a, b, means = 1.0, low / high, [(1.0, low / high)]
    while a - b > 1e-9 * a:  # the next pair is equal to the last digit
        a, b = (a + b) / 2, math.sqrt(a * b)
        means.append((a, b))
    mean = (a + b) / 2
    angles = (np.arange(count) + 0.5) * (math.pi / 2 / count)
    ratio = 1 / np.tan(angles)
    inverse, moved = mean * ratio, np.ones(count)  # cn/sn, and dn, from the last pair back to the first
    for a, b in reversed(means):
        ratio = ratio * inverse
        inverse = inverse * moved
        moved = (b + ratio) / (a + ratio)
        ratio = inverse / a
    sc = 1 / inverse
    speed = np.sqrt((1 + sc**2) * (1 + (low / high * sc) ** 2))  # of sc as u moves
    return low * sc, 2 / math.pi * low * speed * (math.pi / (2 * mean) / count)


def _gap(diagonal: Array, beside: Array, largest: float) -> float:
    """A bound from below on |x| of every eigenvalue x that does not count as zero."""
    width = LEAST_RIDGE * largest
    while width > NEAREST * largest:
        if not stebz(diagonal, beside, IN_A_RANGE, -width, width, 0, 0, width, "E")[0]:
            return width
        width /= STEP
    return NEAREST * largest
