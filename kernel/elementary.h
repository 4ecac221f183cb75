/* SPDX-License-Identifier: MIT */
/* The elementary functions, under their names in math.h.
 *
 * C libraries differ in the last digit of a sine, so that a motion would not be the same on two
 * systems. These use only operations that IEEE 754 rounds correctly, in a fixed order: the same
 * bits everywhere, and no library is needed at all. Sines and cosines are within two units in the
 * last place for up to a thousand rad; tests/kernel/test_elementary.py measures them all.
 */
#ifndef OMI_ELEMENTARY_H
#define OMI_ELEMENTARY_H

#define OMI_PI 3.141592653589793
#define INFINITY __builtin_inf()

static inline double sqrt(double x) {
    return __builtin_sqrt(x); /* one instruction, correctly rounded */
}
static inline double fabs(double x) {
    return __builtin_fabs(x);
}
/* A number goes before what is none, as in math.h. */
static inline double fmax(double a, double b) {
    return a >= b || b != b ? a : b;
}
static inline double fmin(double a, double b) {
    return a <= b || b != b ? a : b;
}
/* To the nearest whole number, to the even one of two. */
static inline double rint(double x) {
    const double shift = 6755399441055744.0; /* 1.5 * 2^52: no digit behind the point is left */
    return fabs(x) < 2251799813685248.0 ? (x + shift) - shift : x;
}
static inline double ceil(double x) {
    double near = rint(x);
    return near < x ? near + 1.0 : near;
}

/* By Horner's rule, the highest power first. */
static inline double polynomial(const double *of, int count, double z) {
    double p = of[0];
    for (int i = 1; i < count; ++i) p = p * z + of[i];
    return p;
}
/* (sin r / r - 1) / z and (cos r - 1 + z / 2) / z^2 for z = r^2, |r| <= pi / 4, by their series. */
static inline double rest_of_sine(double z) {
    static const double of[] = {1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0,
                                -1.0 / 39916800.0, 1.0 / 362880.0, -1.0 / 5040.0, 1.0 / 120.0,
                                -1.0 / 6.0};
    return polynomial(of, 8, z);
}
static inline double rest_of_cosine(double z) {
    static const double of[] = {1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0,
                                -1.0 / 3628800.0, 1.0 / 40320.0, -1.0 / 720.0, 1.0 / 24.0};
    return polynomial(of, 7, z);
}
static inline double short_sine(double r) {
    return r + r * (r * r * rest_of_sine(r * r));
}
static inline double short_cosine(double r) {
    double z = r * r, half = 0.5 * z, whole = 1.0 - half;
    return whole + (((1.0 - whole) - half) + z * z * rest_of_cosine(z)); /* what `whole` has lost */
}
/* x = n pi / 2 + rest; returns n modulo 4. pi / 2 stands in three parts, so that n times the first
 * two is exact. Turns so large that neighbouring numbers are radians apart count as none. */
static inline int quadrant(double x, double *rest) {
    double n = rint(x * 0.6366197723675814);
    if (!(fabs(x) < 1e15)) {
        *rest = x - x; /* not a number, if x is none or infinite */
        return 0;
    }
    *rest = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    return (int)((long long)n & 3);
}
static inline double sin(double x) {
    double r;
    int n = quadrant(x, &r);
    double s = n & 1 ? short_cosine(r) : short_sine(r);
    return n & 2 ? -s : s;
}
static inline double cos(double x) {
    double r;
    int n = quadrant(x, &r);
    double c = n & 1 ? short_sine(r) : short_cosine(r);
    return n == 1 || n == 2 ? -c : c;
}
/* The angle of the direction (x, y). */
static inline double atan2(double y, double x) {
    /* Of k / 8. */
    static const double angle[9] = {
        0.0, 0x1.fd5ba9aac2f6ep-4, 0x1.f5b75f92c80ddp-3, 0x1.6f61941e4def1p-2, 0x1.dac670561bb4fp-2,
        0x1.1e00babdefeb4p-1, 0x1.4978fa3269ee1p-1, 0x1.700a7c5784634p-1, 0x1.921fb54442d18p-1};
    static const double of[] = {1.0 / 13.0, -1.0 / 11.0, 1.0 / 9.0, -1.0 / 7.0, 1.0 / 5.0, -1.0 / 3.0};
    double wide = fabs(x), high = fabs(y), out;
    double large = wide > high ? wide : high, small = wide > high ? high : wide;
    if (!(large > 0.0)) return x + y; /* nothing has no direction, and what is no number neither */
    double k = rint(8.0 * (small / large));
    if (!(k >= 0.0 && k <= 8.0)) return k - k;
    double t = (small - 0.125 * k * large) / (large + 0.125 * k * small), z = t * t;
    out = angle[(int)k] + (t + t * (z * polynomial(of, 6, z)));
    if (high > wide) out = 1.5707963267948966 - out;
    if (x < 0.0) out = OMI_PI - out;
    return y < 0.0 ? -out : out;
}
#endif
