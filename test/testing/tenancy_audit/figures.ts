import type { BaseModel, ModelInfo } from "framewright/plugins/database";
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

/** Rows that nobody may notice, and what takes them away again. */
export interface AddedRows {
  add(): Promise<void>;
  remove(): Promise<unknown>;
}

/**
 * Finds figures that count rows which no mark shows: answers that change when rows are added that the reader must not notice,
 * and change back when they are removed.
 */
export async function findFigures(
  world: AuditWorld,
  readings: readonly Reading[],
  { add, remove }: AddedRows,
): Promise<Reading[]> {
  const read = (list: readonly Reading[]) => readAll(world, list);
  const [first, second] = [await read(readings), await read(readings)];
  const steady = readings.filter((reading) => first.get(reading) === second.get(reading));
  await add();
  const added = await read(steady);
  await remove();
  const changed = steady.filter((reading) => added.get(reading) !== first.get(reading));
  const removed = await read(changed);
  return changed.filter((reading) => removed.get(reading) === first.get(reading));
}

/** Rows of the other tenant. */
export const rowsOfOther = ({ records, snapshot }: AuditWorld): AddedRows => ({
  add: async () => {
    for (const model of records.exclusive.filter((one) => one !== records.entity))
      for (let count = 0; count < ADDED; count++) await records.make(model, "b").catch(() => undefined); // there may be one alone
  },
  remove: () => snapshot.compare(),
});

/** Rows of the own tenant with these values. */
export function rowsWith({ records }: AuditWorld, side: "a" | "b", kinds: readonly [ModelInfo, object][]): AddedRows {
  const made: [ModelInfo, BaseModel][] = [];
  return {
    add: async () => {
      for (const [model, values] of kinds)
        for (let count = 0; count < ADDED; count++) {
          const record = await records.make(model, side, { ...values }).catch(() => undefined);
          if (record) made.push([model, record]);
        }
    },
    remove: async () => {
      for (const [model, record] of made.splice(0)) await records.rowOf(model, record).delete();
    },
  };
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
