import type { Person } from "./people.ts";
import type { AuditWorld } from "./portal_audit.ts";
import type { Sent } from "./visitor.ts";

const ADDED = 3;

/** A page that a person reads, for a route. */
export interface Reading {
  readonly route: string;
  readonly person: Person;
  readonly sent: Sent;
}

/**
 * Finds figures that count another tenant's rows, which no mark shows: an answer to a member of A that changes when rows
 * of B are added, and changes back when they are removed.
 */
export async function findFigures(world: AuditWorld, readings: readonly Reading[]): Promise<Reading[]> {
  const read = (list: readonly Reading[]) => readAll(world, list);
  const [first, second] = [await read(readings), await read(readings)];
  const steady = readings.filter((reading) => first.get(reading) === second.get(reading));
  await addRows(world);
  const added = await read(steady);
  await world.snapshot.compare();
  const changed = steady.filter((reading) => added.get(reading) !== first.get(reading));
  const removed = await read(changed);
  return changed.filter((reading) => removed.get(reading) === first.get(reading));
}

async function addRows({ records }: AuditWorld): Promise<void> {
  const models = records.exclusive.filter((model) => model !== records.entity);
  for (const model of models)
    for (let count = 0; count < ADDED; count++) await records.make(model, "b").catch(() => undefined); // there may be one alone
}

async function readAll({ recorder, signal }: AuditWorld, readings: readonly Reading[]): Promise<Map<Reading, string>> {
  const texts = new Map<Reading, string>();
  for (const reading of readings) {
    signal?.throwIfAborted();
    const { status, text } = await reading.person.visitor.send(reading.sent, { [recorder.tenantHeader]: "a" });
    texts.set(reading, `${status} ${text.replaceAll(/[\w-]{24,}/g, "")}`); // tokens, digests and nonces
  }
  return texts;
}
