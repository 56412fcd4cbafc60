package baseline

// smallOrder is the greatest p and q whose coefficients are held in registers.
const smallOrder = 3

// sweep returns the sum of squared residuals at φ and θ, and fills cc and ce with the products of
// their derivatives, among each other and with the residuals.
func (a *armaFit) sweep(phi, theta []float64) float64 {
	if a.p > smallOrder || a.q > smallOrder {
		s := a.residuals(phi, theta)
		a.derivatives(theta)
		a.gather()
		return s
	}
	s := a.residualsSmall(phi, theta)
	a.derivativesSmall(theta)
	a.gather()
	return s
}

// residualsSmall is residuals for orders up to smallOrder.
func (a *armaFit) residualsSmall(phi, theta []float64) float64 {
	var ph, th [smallOrder]float64
	copy(ph[:], phi)
	copy(th[:], theta)
	p1, p2, p3, t1, t2, t3 := ph[0], ph[1], ph[2], th[0], th[1], th[2]
	var z1, z2, z3, e1, e2, e3, s float64
	res := a.e[:len(a.z)]
	for t, x := range a.z {
		e := x - p3*z3 - p2*z2 - p1*z1 - t3*e3 - t2*e2 - t1*e1 // what comes last is waited for least
		z3, z2, z1 = z2, z1, x
		e3, e2, e1 = e2, e1, e
		res[t] = e
		s += e * e
	}
	return s
}

// derivativesSmall is derivatives for orders up to smallOrder.
func (a *armaFit) derivativesSmall(theta []float64) {
	var th [smallOrder]float64
	copy(th[:], theta)
	t1, t2, t3 := th[0], th[1], th[2]
	n := len(a.z)
	res, dar, dma := a.e[:n], a.ar[:n], a.ma[:n]
	var m1, m2, m3 float64
	if a.p == 0 {
		for t, e := range res {
			m := -e - t3*m3 - t2*m2 - t1*m1
			m3, m2, m1 = m2, m1, m
			dma[t] = m
		}
		return
	}
	var r1, r2, r3 float64
	for t, e := range res {
		r := -a.z[t] - t3*r3 - t2*r2 - t1*r1
		m := -e - t3*m3 - t2*m2 - t1*m1
		r3, r2, r1 = r2, r1, r
		m3, m2, m1 = m2, m1, m
		dar[t], dma[t] = r, m
	}
}
