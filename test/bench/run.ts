import { parseArgs } from "node:util";
import { compareFeatures, featureLines } from "./features.ts";
import { type Measured, measure, sample } from "./measure.ts";
import { dispatchTime, hooksTime } from "./micro.ts";
import { servingNode } from "./node.ts";
import { comparePages, pageLines, sentPages } from "./page.ts";
import { judge, median, type Phases, serverNames, table, type WorkResult } from "./report.ts";
import { pinned, prepare, type Server, start } from "./servers.ts";
import { compareWizards, wizardLines } from "./wizards.ts";
import { compareWorkers, workersTable } from "./workers.ts";
import { type Ask, type ServerName, signedInAsks, type Work, works } from "./works.ts";

/** What an index page may cost for somebody, as a multiple of what it costs for anybody: a sign-in is read each time. */
const SIGN_IN = 1.3;
/** By how much the bytes of the same by hand may differ from those of ours. */
const SAME_BYTES = 0.02;

const { values: options } = parseArgs({
  options: {
    /** Prints the results as JSON. */
    json: { type: "boolean", default: false },
    /** One short round: to see that it runs, not to compare. */
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    /** As in `--only W1,W3`. */
    only: { type: "string" },
    /** Compares `fw start --workers=2` with `--workers=1` as well. */
    workers: { type: "boolean", default: false },
    /** Compares ours with history, live updates, presence and webhooks with ours without as well. */
    features: { type: "boolean", default: false },
    /** The Node that the servers run on: a major, which is installed for it, or a path; by default this one. */
    node: { type: "string" },
    /** Writes a processor profile of our server to this folder. */
    profile: { type: "string" },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const seconds = Number(options.seconds ?? (options.quick ? 1 : 3));
/** Seconds of the phases: the first ones, those until half-warm, and those until warm, 12 after the start. */
const lasts = options.quick ? { cold: 1, between: 1, warming: 1 } : { cold: 1, between: 2, warming: 12 - 3 - seconds };
const chosen = works.filter(({ key }) => options.only === undefined || options.only.split(",").includes(key));
const say = (text: string) => options.json || console.log(text);

/** Starts all servers for one work: code that another work has warmed, or its memory, does not count. */
async function startAll(): Promise<readonly Server[]> {
  const [ours, ...others] = await Promise.all(
    ["ours", "limit", "by_hand", "fastify"].map((name) => startOf(name as ServerName)),
  );
  const same = await start("same", place, [], [await sentPages(ours!, place)]);
  await ours!.close(); // the pages were sent by it
  const servers = [...others, same, await startOf("ours")];
  return serverNames.map((name) => servers.find((one) => one.name === name)!);
}
const startOf = (name: ServerName) => start(name, place, name === "ours" ? profiled : []);

/** One work by all servers: from the first request on, half-warm, then rounds by turns. */
async function compare(work: Work): Promise<WorkResult> {
  const servers = await startAll();
  const phases = {} as Record<ServerName, Phases & { warm: Measured[] }>;
  const asks = {} as Record<ServerName, Ask>;
  const run = async (server: Server, seconds: number) => {
    const measured = await measure(server, work, asks[server.name], seconds);
    await server.reset();
    return measured;
  };
  for (const server of servers) {
    asks[server.name] = await work.ask(server.name, server.url);
    const cold = await run(server, lasts.cold);
    phases[server.name] = {
      ...(await sample(server, work, asks[server.name])),
      cold,
      halfWarm: cold,
      warm: [],
      memory: 0,
    };
    await server.reset();
    await run(server, lasts.between);
    phases[server.name].halfWarm = await run(server, seconds);
    await run(server, lasts.warming);
  }
  checkBytes(work, phases);
  for (let round = 1; round <= rounds; round++)
    for (const server of servers) phases[server.name].warm.push(await run(server, seconds));
  for (const server of servers) phases[server.name].memory = (await server.usage()).memory;
  await Promise.all(servers.map((server) => server.close()));
  say(`${work.key} is done.`);
  return judge(work, phases, Number.parseInt(node.version.slice(1), 10));
}

/** @throws Error where the same by hand sends another page than ours */
function checkBytes({ key }: Work, { ours: { bytes }, same }: Record<ServerName, Phases>): void {
  const isPage = key === "W1" || key === "W2";
  if (isPage && Math.abs(same.bytes / bytes - 1) > SAME_BYTES)
    throw new Error(`${key} has ${bytes} bytes of ours and ${same.bytes} of the same by hand.`);
}

/** What an index page costs more for somebody than for anybody: rounds by turns on one server. */
async function compareSignIn(server: Server, index: Work): Promise<{ signedIn: number; open: number; ratio: number }> {
  const asks = await signedInAsks(server.url);
  const times = { signedIn: [] as number[], open: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of ["open", "signedIn"] as const) {
      const { cpu } = await measure(server, index, asks[name], seconds);
      if (round > 0) times[name].push(cpu); // the first one warms up
    }
  }
  const [signedIn, open] = [median(times.signedIn), median(times.open)];
  return { signedIn, open, ratio: signedIn / open };
}

const node = servingNode(options.node);
say(`The servers run on Node ${node.version}.`);
const place = prepare(node);
const profiled = options.profile ? ["--cpu-prof", `--cpu-prof-dir=${options.profile}`] : [];
const results: WorkResult[] = [];
for (const work of chosen) results.push(await compare(work));
const index = chosen.find(({ key }) => key === "W1");
const ours = await startOf("ours");
const signIn = index && (await compareSignIn(ours, index));
const pages =
  index && chosen.some(({ key }) => key === "W2") ? await comparePages(ours, place, { rounds, seconds }) : undefined;
const wizards = chosen.some(({ key }) => key === "W5") ? await compareWizards(ours, { rounds, seconds }) : undefined;
await ours.close();
const features = options.features
  ? await compareFeatures(place, { rounds, seconds, warming: options.quick ? 1 : 9 })
  : undefined;
const workers = options.workers ? await compareWorkers(place, chosen, { rounds, seconds }) : undefined;
const dispatch = Object.fromEntries([10, 1_000, 10_000].map((routes) => [routes, dispatchTime(routes)]));
const hooks = hooksTime();

if (options.json)
  console.log(
    JSON.stringify(
      {
        node: node.version,
        pinned,
        rounds,
        seconds,
        results,
        signIn,
        pages,
        wizards,
        features,
        workers,
        dispatch,
        hooks,
      },
      null,
      2,
    ),
  );
say(table(results));
if (signIn)
  say(
    `Signing in: an index page takes ${Math.round(signIn.signedIn)} µs of CPU for somebody, ${Math.round(signIn.open)} for anybody: ${signIn.ratio.toFixed(2)} times, and ${SIGN_IN} is the most.`,
  );
if (pages) say(pageLines(pages));
if (wizards) say(wizardLines(wizards));
if (features) say(featureLines(features));
if (workers) say(workersTable(workers));
say(
  `Dispatch (µs a look-up): ${Object.entries(dispatch)
    .map(([routes, time]) => `${time.toFixed(2)} of ${Number(routes).toLocaleString("en")} routes`)
    .join(", ")}.`,
);
say(
  `All hooks of a request: ${hooks.toFixed(2)} µs.${pinned ? "" : " Servers and load shared their cores: no taskset here."}`,
);
const isDear = signIn !== undefined && signIn.ratio > SIGN_IN + 0.05; // a margin for noise
process.exitCode =
  isDear ||
  wizards?.isDear ||
  features?.some((one) => one.isDear) ||
  workers?.some(({ isSlow }) => isSlow) ||
  results.some(({ underFloor }) => underFloor)
    ? 1
    : 0;
