import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure } from "./measure.ts";
import { median } from "./report.ts";
import { type Place, type Server, start } from "./servers.ts";
import { type Ask, works } from "./works.ts";

/** Microseconds of processor time a page: of ours, and of the same bytes by hand. */
export interface PageResult {
  key: string;
  ours: number;
  byHand: number;
}
interface How {
  rounds: number;
  seconds: number;
}
const keys = ["W1", "W2"] as const;

/** The headers that each answer has for itself. */
const own = /^(?:connection|keep-alive|date|content-(?:encoding|length|type)|set-cookie|transfer-encoding)$/;

/** A file with pages that our server sent, and the headers that it sends with them. */
export async function sentPages(ours: Server, place: Place, asks?: Readonly<Record<string, Ask>>): Promise<string> {
  const sent: Record<string, unknown> = {};
  for (const key of keys) {
    const { path, headers } = asks?.[key] ?? (await workOf(key).ask("ours", ours.url));
    const answer = await fetch(ours.url + path, { headers });
    sent[key] = await answer.text();
    sent.headers = Object.fromEntries([...answer.headers].filter(([name]) => !own.test(name)));
  }
  const file = join(place.folder, asks ? "pages.json" : "same.json");
  writeFileSync(file, JSON.stringify(sent));
  return file;
}

/** Rounds by turns of our pages and of the same pages by hand. */
export async function comparePages(ours: Server, place: Place, { rounds, seconds }: How): Promise<PageResult[]> {
  const asks: Record<string, Ask> = {};
  for (const key of keys) asks[key] = await workOf(key).ask("ours", ours.url);
  const file = await sentPages(ours, place, asks);
  const page = await start("page", place, [], [file]);
  try {
    const results: PageResult[] = [];
    for (const key of keys) {
      const plain = await workOf(key).ask("limit", page.url);
      const times = { ours: [] as number[], byHand: [] as number[] };
      for (let round = 0; round <= rounds; round++) {
        const one = await measure(ours, workOf(key), asks[key]!, seconds);
        const other = await measure(page, workOf(key), plain, seconds);
        if (round === 0) continue; // the first one warms up
        times.ours.push(one.cpu);
        times.byHand.push(other.cpu);
      }
      results.push({ key, ours: median(times.ours), byHand: median(times.byHand) });
    }
    return results;
  } finally {
    await page.close();
  }
}
const workOf = (key: string) => works.find((work) => work.key === key)!;

export const pageLines = (results: readonly PageResult[]): string =>
  results
    .map(
      ({ key, ours, byHand }) =>
        `Our page by hand: ${key} takes ${Math.round(ours)} µs of CPU from us, ${Math.round(byHand)} by hand with the same bytes: ${(byHand / ours).toFixed(2)} of it.`,
    )
    .join("\n");
