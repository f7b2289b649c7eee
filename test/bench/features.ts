import { measure } from "./measure.ts";
import { median } from "./report.ts";
import { type Place, type Server, start } from "./servers.ts";
import { type Ask, works } from "./works.ts";

/** What reading and writing may cost with history, live updates, presence and webhooks, as multiples of without. */
const most: Readonly<Record<string, number>> = { W1: 1.03, W2: 1.03, W5: 1.25 };
const NOISE = 0.1;

/** Microseconds of processor time of a work, without those features and with them. */
export interface FeatureResult {
  key: string;
  without: number;
  featured: number;
  isDear: boolean;
}

/** Rounds by turns of two servers, warm, that differ by these features alone. */
export async function compareFeatures(
  place: Place,
  { rounds, seconds, warming }: { rounds: number; seconds: number; warming: number },
): Promise<FeatureResult[]> {
  const results: FeatureResult[] = [];
  for (const [key, ratio] of Object.entries(most)) {
    const work = works.find((one) => one.key === key)!;
    const servers: Server<string>[] = [await start("ours", place), await start("featured", place, [], ["features"])];
    const asks: Ask[] = [];
    const times: [without: number[], featured: number[]] = [[], []];
    for (const { url } of servers) asks.push(await work.ask("ours", url));
    for (let round = 0; round <= rounds; round++)
      for (const [at, server] of servers.entries()) {
        const { cpu } = await measure(server, work, asks[at]!, round === 0 ? warming : seconds);
        await server.reset();
        if (round > 0) times[at]!.push(cpu);
      }
    await Promise.all(servers.map((server) => server.close()));
    const [without, all] = times.map(median) as [number, number];
    results.push({ key, without, featured: all, isDear: all / without > ratio * (1 + NOISE) });
  }
  return results;
}

export const featureLines = (results: readonly FeatureResult[]): string =>
  results
    .map(
      ({ key, without, featured: all }) =>
        `${key} with history, live updates, presence and webhooks takes ${Math.round(all)} µs of CPU, ${Math.round(without)} without: ${(all / without).toFixed(2)} times, and ${most[key]} is the most.`,
    )
    .join("\n");
