package numeric

import (
	"math"
	"math/cmplx"
)

// CExpm1 returns e^z − 1 without cancellation near z = 0, where the real and
// the imaginary part are each good to rounding.
func CExpm1(z complex128) complex128 {
	x, y := real(z), imag(z)
	half := math.Sin(y / 2)
	return complex(math.Expm1(x)*math.Cos(y)-2*half*half, math.Exp(x)*math.Sin(y))
}

// CLog1p returns ln(1+z) without cancellation near z = 0, principal branch.
func CLog1p(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) > 0.5 || math.Abs(y) > 0.5 {
		return cmplx.Log(1 + z)
	}
	return complex(0.5*math.Log1p(math.FMA(x, x, 2*x)+y*y), math.Atan2(y, 1+x))
}

// CResidualUnit returns 1 − (1 − e^(−z))/z for complex z: one minus the
// transform of the uniform law on 0..1, which is the equilibrium law of a
// constant.
func CResidualUnit(z complex128) complex128 {
	if cmplx.Abs(z) > 1 {
		return 1 + CExpm1(-z)/z
	}
	// Σ_{j≥1} −(−z)ʲ/(j+1)!; 1/20! is below rounding.
	s := complex(0, 0)
	for j := 19; j >= 1; j-- {
		s = (1 + s) * -z / complex(float64(j+1), 0)
	}
	return -s
}
