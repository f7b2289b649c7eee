import type { Measured, Sample } from "./measure.ts";
import { type ServerName, type Work, works } from "./works.ts";

const NOISE = 0.1;
const HONEST = 0.2;
export const serverNames: readonly ServerName[] = ["limit", "by_hand", "fastify", "ours"];

export interface WorkResult {
  key: string;
  title: string;
  servers: Record<ServerName, Measured & Sample>;
  ofByHand: Ratio;
  ofFastify: Ratio;
  ofLimit: Ratio;
  byHandOfLimit: Ratio;
  floor: number;
  goal: number;
  underFloor: boolean;
  honest: boolean;
}
/** By requests a second, and by the processor time that each took: where they differ, something else used the machine. */
interface Ratio {
  bySpeed: number;
  byCpu: number;
}
type Rounds = Record<ServerName, Measured[]>;

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The medians of a work's rounds, and what they say. */
export function judge(work: Work, rounds: Rounds, samples: Record<ServerName, Sample>): WorkResult {
  const middle = (name: ServerName) => ({
    perSecond: median(rounds[name].map(({ perSecond }) => perSecond)),
    cpu: median(rounds[name].map(({ cpu }) => cpu)),
    ...samples[name],
  });
  const servers = {
    limit: middle("limit"),
    by_hand: middle("by_hand"),
    fastify: middle("fastify"),
    ours: middle("ours"),
  };
  const ofByHand = ratio(servers.ours, servers.by_hand);
  const byHandOfLimit = ratio(servers.by_hand, servers.limit);
  const { key, title, floor, goal, honest } = work;
  const isHonest = (part: number) => Math.abs(part / honest - 1) <= HONEST;
  return {
    key,
    title,
    servers,
    ofByHand,
    ofFastify: ratio(servers.ours, servers.fastify),
    ofLimit: ratio(servers.ours, servers.limit),
    byHandOfLimit,
    floor,
    goal,
    underFloor: Math.max(ofByHand.bySpeed, ofByHand.byCpu) < floor * (1 - NOISE),
    honest: isHonest(byHandOfLimit.bySpeed) || isHonest(byHandOfLimit.byCpu),
  };
}

const ratio = (one: Measured, other: Measured): Ratio => ({
  bySpeed: one.perSecond / other.perSecond,
  byCpu: other.cpu / one.cpu,
});

const whole = (number: number) => Math.round(number).toLocaleString("en");
const times = ({ bySpeed, byCpu }: Ratio, digits = 2) => `${bySpeed.toFixed(digits)} (CPU ${byCpu.toFixed(digits)})`;

/** The results as a Markdown table, with a sentence for what is wrong. */
export function table(results: readonly WorkResult[]): string {
  const head =
    "| Work | server | requests/s | CPU µs | bytes | queries | of by hand | of fastify | of the limit |\n|---|---|---|---|---|---|---|---|---|";
  const lines = results.flatMap((result) => serverNames.map((name) => line(result, name)));
  return [head, ...lines, ...results.flatMap(remarks)].join("\n");
}

function line(
  { key, title, servers, ofByHand, ofFastify, ofLimit, byHandOfLimit, floor, goal }: WorkResult,
  name: ServerName,
): string {
  const { perSecond, cpu, bytes, queries } = servers[name];
  const ratios = {
    limit: ["", "", ""],
    by_hand: ["", "", times(byHandOfLimit, 3)],
    fastify: ["", "", times(ratio(servers.fastify, servers.limit), 3)],
    ours: [`**${times(ofByHand)}**, floor ${floor}, goal ${goal}`, times(ofFastify), times(ofLimit)],
  }[name];
  const cells = [
    name === "limit" ? `${key} ${title}` : "",
    name.replace("_", " "),
    whole(perSecond),
    whole(cpu),
    whole(bytes),
    queries,
    ...ratios,
  ];
  return `| ${cells.join(" | ")} |`;
}

function remarks({ key, underFloor, honest, ofByHand, floor, byHandOfLimit }: WorkResult): string[] {
  const honestOf = works.find((work) => work.key === key)!.honest;
  return [
    ...(underFloor ? [`${key} is under its floor: ${times(ofByHand)} of by hand, and ${floor} is the least.`] : []),
    ...(honest
      ? []
      : [
          `The yardsticks are off in ${key}: by hand over limit is ${times(byHandOfLimit, 3)}, honest ones are at ${honestOf}.`,
        ]),
  ];
}
