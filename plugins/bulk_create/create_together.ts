import { setImmediate } from "node:timers/promises";
import { type FieldErrors, type Reply, unprocessable } from "framewright/host";
import { type BaseModel, isUncertain, type Transaction } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { shownItem } from "./answers.ts";
import { ItemWrite, itemProblem } from "./item_write.ts";

/** Creates all records in one transaction, or none. @throws HttpError 422 with errors by the index of each record */
export async function createTogether(controller: ResourceRequest, items: readonly ResourceRequest[]): Promise<Reply> {
  const created = await writeTogether(controller, items);
  const shown = [];
  for (const [at, item] of items.entries()) shown.push(await shownItem(item, created[at]!));
  const ignored = shown.flatMap((one, at) => one.ignored.map((name) => `${at}.${name}`));
  const meta = { total: shown.length, ...(ignored.length > 0 ? { ignored } : {}) };
  const reply = controller.json({ data: shown.map(({ data }) => data), meta }, { status: 201 });
  if (shown[0]?.applied !== undefined) reply.headers["preference-applied"] = shown[0].applied;
  return reply;
}

/** Runs the work in a transaction, of a plugin that commits something with it as well. */
export const runWriting = <T extends { record: BaseModel }>(
  controller: ResourceRequest,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> => {
  const { recordWriter, registration, request, resources } = controller;
  const limits = { until: request.deadline, by: `the resource "${registration.constant}"` };
  return recordWriter ? recordWriter.run(work, limits) : resources.database.transaction(work, limits);
};

/** `mark` is written in their transaction. @throws HttpError 422 */
export async function writeTogether(
  controller: ResourceRequest,
  items: readonly ResourceRequest[],
  mark?: (transaction: Transaction) => Promise<void>,
): Promise<readonly BaseModel[]> {
  const writes = await prepareAll(controller, items);
  let [at, created]: [number, BaseModel[]] = [0, []];
  try {
    await runWriting(controller, async (transaction) => {
      created = []; // after a deadlock it runs again
      for (at = 0; at < writes.length; at++) created.push(await writes[at]!.write(transaction));
      await mark?.(transaction);
      return { record: created[0]! };
    });
  } catch (error) {
    if (!isUncertain(error)) await undoAll(writes);
    const problem = at < writes.length ? itemProblem(items[at]!, error) : undefined;
    throw problem ? refused(controller, below(at, problem.errors)) : error;
  }
  for (const [index, write] of writes.entries()) await write.committed(created[index]!);
  return created;
}

/** Reads and checks all of them. @throws HttpError 422 with what is wrong with any */
async function prepareAll(controller: ResourceRequest, items: readonly ResourceRequest[]): Promise<ItemWrite[]> {
  const writes: ItemWrite[] = [];
  const errors: FieldErrors = {};
  try {
    for (const [index, item] of items.entries()) {
      try {
        writes.push(await ItemWrite.prepare(item));
      } catch (error) {
        const problem = itemProblem(item, error);
        if (!problem) throw error;
        Object.assign(errors, below(index, problem.errors));
      }
      await setImmediate(); // requests of this process have their turn between two records
    }
    if (Object.keys(errors).length > 0) throw refused(controller, errors);
  } catch (error) {
    await undoAll(writes);
    throw error;
  }
  return writes;
}

async function undoAll(writes: readonly ItemWrite[]): Promise<void> {
  for (const write of writes) await write.undone();
}
const refused = (controller: ResourceRequest, errors: FieldErrors) =>
  unprocessable(controller.t("resource.invalid"), errors);
const below = (index: number, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([name, texts]) => [`${index}.${name}`, texts]));
