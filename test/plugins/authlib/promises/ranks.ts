/**
 * The probability of two samples being as far apart as these when they come from one source (Mann-Whitney, two-sided,
 * by the normal approximation): small when they can be told apart.
 */
export function differs(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  all.sort((one, other) => one.value - other.value);
  const ranks = all.reduce((sum, { isA }, index) => sum + (isA ? index + 1 : 0), 0);
  const u = ranks - (a.length * (a.length + 1)) / 2;
  const spread = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return 2 * (1 - cumulative(Math.abs(u - (a.length * b.length) / 2) / spread));
}

/** The normal distribution, to six digits (Abramowitz and Stegun 26.2.17). */
function cumulative(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429].reduceRight(
    (sum, factor) => (sum + factor) * t,
    0,
  );
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
