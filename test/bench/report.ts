import type { Measured, Sample } from "./measure.ts";
import type { Floors, ServerName, Work } from "./works.ts";

const NOISE = 0.1;
const HONEST = 0.2;
/** How much of a floor holds while code is not optimised yet. */
const HALF_WARM = 0.9;
export const serverNames: readonly ServerName[] = ["limit", "by_hand", "fastify", "same", "ours"];

/** A server during one work, in a process of its own. */
export interface Phases extends Sample {
  /** From the first request on. */
  cold: Measured;
  /** After seconds, when the compilers of V8 are still busy. */
  halfWarm: Measured;
  /** The rounds by turns. */
  warm: readonly Measured[];
  /** The most memory that was held, in bytes. */
  memory: number;
}
export interface WorkResult {
  key: string;
  title: string;
  /** `perSecond` and `cpu` are medians of the warm rounds. */
  servers: Record<ServerName, Phases & Measured>;
  ofFastify: Ratios;
  ofSame: Ratios;
  byHandOfLimit: Ratio;
  floors: Floors;
  goal: number;
  underFloor: boolean;
  /** What by hand does of the limit, when the yardsticks are honest. */
  expected: number;
  honest: boolean;
}
/** By requests a second, and by the processor time that each took: where they differ, something else used the machine. */
interface Ratio {
  bySpeed: number;
  byCpu: number;
}
interface Ratios {
  cold: Ratio;
  halfWarm: Ratio;
  warm: Ratio;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The medians of a work's rounds, compared with the floors for a major version of Node. */
export function judge(work: Work, phases: Record<ServerName, Phases>, major: number): WorkResult {
  const middle = (name: ServerName) => ({
    ...phases[name],
    perSecond: median(phases[name].warm.map(({ perSecond }) => perSecond)),
    cpu: median(phases[name].warm.map(({ cpu }) => cpu)),
    allocated: median(phases[name].warm.map(({ allocated = Number.NaN }) => allocated)),
  });
  const servers = Object.fromEntries(serverNames.map((name) => [name, middle(name)])) as WorkResult["servers"];
  const byHandOfLimit = ratio(servers.by_hand, servers.limit);
  const [ofFastify, ofSame] = [ratios(servers.ours, servers.fastify), ratios(servers.ours, servers.same)];
  const floors = work.floors[major] ?? work.floors[20];
  const isHonest = (part: number) => Math.abs(part / work.honest - 1) <= HONEST;
  return {
    ...{ key: work.key, title: work.title, servers, ofFastify, ofSame, byHandOfLimit, floors, goal: work.goal },
    underFloor: isUnder(ofFastify, floors.fastify) || isUnder(ofSame, floors.same),
    expected: work.honest,
    honest: isHonest(byHandOfLimit.bySpeed) || isHonest(byHandOfLimit.byCpu),
  };
}

const best = ({ bySpeed, byCpu }: Ratio) => Math.max(bySpeed, byCpu);
const isUnder = ({ warm, halfWarm }: Ratios, floor: number) =>
  best(warm) < floor * (1 - NOISE) || best(halfWarm) < floor * HALF_WARM * (1 - NOISE);

const ratio = (one: Measured, other: Measured): Ratio => ({
  bySpeed: one.perSecond / other.perSecond,
  byCpu: other.cpu / one.cpu,
});
const ratios = (one: Phases & Measured, other: Phases & Measured): Ratios => ({
  cold: ratio(one.cold, other.cold),
  halfWarm: ratio(one.halfWarm, other.halfWarm),
  warm: ratio(one, other),
});

const whole = (number: number) => Math.round(number).toLocaleString("en");
const times = ({ bySpeed, byCpu }: Ratio, digits = 2) => `${bySpeed.toFixed(digits)} (CPU ${byCpu.toFixed(digits)})`;
const phasesOf = ({ cold, halfWarm, warm }: Ratios) =>
  `${cold.byCpu.toFixed(2)}, ${halfWarm.byCpu.toFixed(2)}, **${times(warm)}**`;

/** The results as a Markdown table, with a sentence for what is wrong. */
export function table(results: readonly WorkResult[]): string {
  const head =
    "| Work | server | requests/s | CPU µs cold, half-warm, **warm** | bytes | queries | allocated kB | peak MB | of fastify (cold, half-warm, warm) | of the same by hand |\n|---|---|---|---|---|---|---|---|---|---|";
  const lines = results.flatMap((result) => serverNames.map((name) => line(result, name)));
  return [head, ...lines, ...results.flatMap(remarks)].join("\n");
}

function line({ key, title, servers, ofFastify, ofSame, floors, goal }: WorkResult, name: ServerName): string {
  const { perSecond, cpu, cold, halfWarm, bytes, queries, allocated, memory } = servers[name];
  const isOurs = name === "ours";
  const cells = [
    name === "limit" ? `${key} ${title}` : "",
    name.replace("_", " "),
    whole(perSecond),
    `${whole(cold.cpu)}, ${whole(halfWarm.cpu)}, **${whole(cpu)}**`,
    whole(bytes),
    queries,
    Number.isNaN(allocated) ? "" : (Number(allocated) / 1024).toFixed(0),
    memory >> 20,
    isOurs ? `${phasesOf(ofFastify)}, floor ${floors.fastify}, goal ${goal}` : "",
    isOurs ? `${phasesOf(ofSame)}, floor ${floors.same}` : "",
  ];
  return `| ${cells.join(" | ")} |`;
}

function remarks({ key, underFloor, honest, ofFastify, ofSame, floors, byHandOfLimit, expected }: WorkResult) {
  const least = (part: number) => `${part} is the least warm, ${(part * HALF_WARM).toFixed(2)} half-warm`;
  const under = `${key} is under a floor: ${phasesOf(ofFastify)} of fastify, of which ${least(floors.fastify)}; ${phasesOf(ofSame)} of the same by hand, of which ${least(floors.same)}.`;
  const off = `The yardsticks are off in ${key}: by hand over limit is ${times(byHandOfLimit, 3)}, honest ones are at ${expected}.`;
  return [...(underFloor ? [under] : []), ...(honest ? [] : [off])];
}
