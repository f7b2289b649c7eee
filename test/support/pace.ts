// Limits on times hold on every machine: one that is slower, or that has other work at that moment, gets as much more time.

/** What `work()` takes on the machine for which limits are written, in milliseconds. */
const USUAL_MS = 8;
const ROUNDS = 5;
/** No machine is so slow that a limit becomes none. */
const MOST = 5;

const text = JSON.stringify(Array.from({ length: 6000 }, (_, at) => ({ [`key${at}`]: at, title: `Line ${at}` })));

/** A little of what requests take: texts, objects, patterns, sorting. */
function work(): number {
  const read = JSON.parse(text) as { title: string }[];
  const titles = read.map(({ title }) => title.replace(/\d+/, (digits) => digits.padStart(6, "0")));
  return titles.sort().join("&").length;
}

/**
 * A limit in milliseconds (or another unit of time) for this machine at this moment: at least what it is given, at most five times that.
 *
 *     assert.ok(took < within(50), `took ${took} ms`);
 */
export function within(limit: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  if (process.env.FW_TEST_PRINT) console.log(`the usual work took ${best.toFixed(1)} ms`);
  return limit * Math.min(MOST, Math.max(1, best / USUAL_MS));
}
