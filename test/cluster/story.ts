import { writeFileSync } from "node:fs";
import { drain } from "./drained.ts";
import { injectFaults } from "./faults.ts";
import { type Kind, Ledger } from "./ledger.ts";
import { Load } from "./load.ts";
import { peopleOf } from "./people.ts";
import { type Found, Promises } from "./promises.ts";
import { failuresOf, tables, verdict } from "./report.ts";
import { readStored } from "./stored.ts";
import { openWorld, type World } from "./world.ts";

const SECONDS = Number(process.env.FW_CLUSTER_SECONDS ?? 60);
const PEOPLE = Number(process.env.FW_CLUSTER_PEOPLE ?? 50);
const PAUSE_MS = Number(process.env.FW_CLUSTER_PAUSE_MS ?? 4000);
const MAX_SHARE = 1;

const start = performance.now();
const note = (line: string) => console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s ${line}`);

async function story(world: World, people: ReturnType<typeof peopleOf>): Promise<number> {
  const ledger = new Ledger();
  const load = new Load({ people, port: world.nginx.port, ledger, inbox: world.inbox, pauseMs: PAUSE_MS });
  await load.enter();
  note(`${PEOPLE} people are signed in, at ${people.tenants.length} tenants`);
  load.start();
  const begun = ledger.now();
  const faults = await injectFaults(world, SECONDS, note);
  await load.stop();
  note("the load is over");
  const took = (ledger.now() - begun) / 1000;
  const strangers = await load.leave();
  const jobs = await drain(world, note);
  const promises = new Promises(ledger, await readStored(world));
  const sent = [...ledger.counts.values()].reduce((sum, counts) => sum + counts.sent, 0);
  console.log(`\n${tables(ledger, promises, faults)}\n`);
  console.log(`${sent} requests in ${took.toFixed(0)} s, ${ledger.share.toFixed(2)} % of them refused or failed:`);
  for (const line of failuresOf(ledger)) console.log(`  ${line}`);
  const { again, afterKill } = promises.repeated(world.processes.kills);
  console.log(`files that no record names: ${promises.orphans.length}`);
  console.log(`mails that came again with their Message-ID, of the process that was killed: ${afterKill}\n`);
  return judge(ledger, promises, { atTheEnd: [...strangers, ...jobs], again });
}

/** Prints each promise; returns how many were broken. */
function judge(ledger: Ledger, promises: Promises, more: Record<"atTheEnd" | "again", readonly string[]>): number {
  const all = (what: Exclude<keyof Found, "found">, ...only: Kind[]) =>
    [...promises.byKind].flatMap(([kind, found]) =>
      only.length === 0 || only.includes(kind) ? found[what].map((line) => `${kind}: ${line}`) : [],
    );
  const share = `${ledger.share.toFixed(2)} % of the requests were`;
  const kept = [
    verdict("no answered write is missing, and all nodes have the same", [...all("missing"), ...promises.differences]),
    verdict("no wizard was executed twice", all("double", "order")),
    verdict(
      "nothing else is there twice",
      all("double").filter((line) => !line.startsWith("order:")),
    ),
    verdict("no mail was lost, and no job is left", [...all("missing", "mail"), ...more.atTheEnd]),
    verdict("no mail was sent twice under one Message-ID", more.again),
    verdict("no tenant's mark is in another's answers or rows", [...ledger.leaks, ...promises.strays]),
    verdict(`less than ${MAX_SHARE} % of the requests are refused or failed`, ledger.share < MAX_SHARE ? [] : [share]),
    verdict("nothing was done by half", all("half")),
    verdict("who is signed in stays so, and each new token works", ledger.broken),
  ];
  const broken = kept.filter((is) => !is).length;
  console.log(`\n${kept.length - broken} passed, ${broken} failed`);
  return broken;
}

/** Starts everything, runs the load with its faults, and prints what became of each promise; returns how many were broken. */
export async function runCluster(): Promise<number> {
  const people = peopleOf(PEOPLE);
  const world = await openWorld(people, note);
  try {
    return await story(world, people);
  } finally {
    await world.stop();
    if (process.env.FW_CLUSTER_LOG) writeFileSync(process.env.FW_CLUSTER_LOG, world.processes.output());
  }
}
