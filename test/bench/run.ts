import { parseArgs } from "node:util";
import { type Measured, measure, type Sample, sample } from "./measure.ts";
import { dispatchTime, hooksTime } from "./micro.ts";
import { servingNode } from "./node.ts";
import { comparePages, pageLines } from "./page.ts";
import { judge, median, serverNames, table, type WorkResult } from "./report.ts";
import { pinned, prepare, type Server, start } from "./servers.ts";
import { compareWizards, wizardLines } from "./wizards.ts";
import { compareWorkers, workersTable } from "./workers.ts";
import { type Ask, type ServerName, signedInAsks, type Work, works } from "./works.ts";

/** What an index page may cost for somebody, as a multiple of what it costs for anybody: a sign-in is read each time. */
const SIGN_IN = 1.3;

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
    /** The Node that the servers run on: a major, which is installed for it, or a path; by default this one. */
    node: { type: "string" },
    /** Writes a processor profile of our server to this folder. */
    profile: { type: "string" },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const seconds = Number(options.seconds ?? (options.quick ? 1 : 3));
const chosen = works.filter(({ key }) => options.only === undefined || options.only.split(",").includes(key));
const say = (text: string) => options.json || console.log(text);

interface Job {
  work: Work;
  asks: Record<ServerName, Ask>;
  samples: Record<ServerName, Sample>;
  rounds: Record<ServerName, Measured[]>;
}

/** Asks each server once, checks that all give the same, and lets them get warm. */
async function open(work: Work, servers: readonly Server[]): Promise<Job> {
  const job = {
    work,
    asks: {},
    samples: {},
    rounds: { limit: [], by_hand: [], fastify: [], ours: [] },
  } as unknown as Job;
  for (const server of servers) {
    const ask = await work.ask(server.name, server.url);
    job.asks[server.name] = ask;
    await measure(server, work, ask, options.quick ? 1 : 3);
    job.samples[server.name] = await sample(server, work, ask);
    await server.reset();
  }
  return job;
}

async function compare(servers: readonly Server[]): Promise<WorkResult[]> {
  const jobs: Job[] = [];
  for (const work of chosen) jobs.push(await open(work, servers));
  for (let round = 1; round <= rounds; round++) {
    for (const { work, asks, rounds: done } of jobs) {
      for (const server of servers) {
        done[server.name].push(await measure(server, work, asks[server.name], seconds));
        await server.reset();
      }
    }
    say(`round ${round} of ${rounds} is done`);
  }
  return jobs.map(({ work, rounds: done, samples }) => judge(work, done, samples));
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
const flags = (name: ServerName) =>
  name === "ours" && options.profile ? ["--cpu-prof", `--cpu-prof-dir=${options.profile}`] : [];
const servers = await Promise.all(serverNames.map((name) => start(name, place, flags(name))));
const results = await compare(servers);
/** Of the works alone: what follows writes thousands of rows inside of the server. */
const memory = Object.fromEntries(
  await Promise.all(servers.map(async (server) => [server.name, (await server.usage()).memory >> 20])),
);
const index = chosen.find(({ key }) => key === "W1");
const ours = servers.find(({ name }) => name === "ours")!;
const signIn = index && (await compareSignIn(ours, index));
const pages =
  index && chosen.some(({ key }) => key === "W2") ? await comparePages(ours, place, { rounds, seconds }) : undefined;
const wizards = chosen.some(({ key }) => key === "W5") ? await compareWizards(ours, { rounds, seconds }) : undefined;
await Promise.all(servers.map((server) => server.close()));
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
        workers,
        memory,
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
if (workers) say(workersTable(workers));
say(
  `Peak memory (MB): ${Object.entries(memory)
    .map(([name, size]) => `${name.replace("_", " ")} ${size}`)
    .join(", ")}.`,
);
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
  isDear || wizards?.isDear || workers?.some(({ isSlow }) => isSlow) || results.some(({ underFloor }) => underFloor)
    ? 1
    : 0;
