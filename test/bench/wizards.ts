import { measure } from "./measure.ts";
import { median } from "./report.ts";
import type { Server } from "./servers.ts";
import { type Ask, wizardAsks, works } from "./works.ts";

/** What a step may cost, as a multiple of a plain form. */
const STEP = 1.5;
/** What 10,000 open runs may add to a launch, a step or a sweep, as a multiple. */
const GROWTH = 1.25;
const NOISE = 0.1;
type Costs = Record<"launch" | "step" | "sweep", number>;

/** Microseconds of processor time: of a form, of a step, and of everything among few open runs and among many. */
export interface WizardResult {
  form: number;
  few: Costs;
  many: Costs;
  isDear: boolean;
}
interface How {
  rounds: number;
  seconds: number;
}

/** One connection at a time: steps of one run wait for each other. */
export async function compareWizards(server: Server, how: How): Promise<WizardResult> {
  const work = works.find(({ key }) => key === "W5")!;
  const plain = await work.ask("ours", server.url);
  const asks = await wizardAsks(server.url);
  await cost(server, "W5", asks.step, how.seconds); // the run is begun, and the code is warm
  const form: number[] = [];
  const few: Costs[] = [];
  for (let round = 0; round < how.rounds; round++) {
    form.push(await cost(server, "W5", plain, how.seconds));
    few.push(await costs(server, asks, how.seconds));
    await server.reset();
  }
  await server.task("fillRuns");
  const many: Costs[] = [];
  for (let round = 0; round < how.rounds; round++) many.push(await costs(server, asks, how.seconds));
  await server.task("clear");
  const result = { form: median(form), few: middle(few), many: middle(many) };
  return { ...result, isDear: isDear(result) };
}

async function costs(server: Server, asks: Record<"launch" | "step", Ask>, seconds: number): Promise<Costs> {
  const step = await cost(server, "a step", asks.step, seconds);
  const launch = await cost(server, "a launch", asks.launch, seconds);
  const before = await server.usage();
  const after = await server.task("sweep");
  return { step, launch, sweep: after.cpu - before.cpu };
}
const cost = async (server: Server, key: string, ask: Ask, seconds: number) =>
  (await measure(server, { key, status: 303 }, ask, seconds, 1)).cpu;

const names = ["launch", "step", "sweep"] as const;
const middle = (all: readonly Costs[]): Costs => {
  const of = (name: keyof Costs) => median(all.map((costs) => costs[name]));
  return { launch: of("launch"), step: of("step"), sweep: of("sweep") };
};
const isDear = ({ form, few, many }: Omit<WizardResult, "isDear">): boolean =>
  few.step / form > STEP * (1 + NOISE) ||
  names.some((name) => many[name] > few[name] * GROWTH * (1 + NOISE) && many[name] - few[name] > 500);

export function wizardLines({ form, few, many }: WizardResult): string {
  const whole = (number: number) => Math.round(number).toLocaleString("en");
  const growth = names.map((name) => `${name} ${whole(few[name])} and ${whole(many[name])}`).join(", ");
  return [
    `Wizards: a step takes ${whole(few.step)} µs of CPU, a plain form ${whole(form)}: ${(few.step / form).toFixed(2)} times, and ${STEP} is the most.`,
    `Among a few open runs and among 10,000 (CPU µs): ${growth}; ${GROWTH} times is the most.`,
  ].join("\n");
}
