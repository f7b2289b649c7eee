import { setImmediate } from "node:timers/promises";
import type { Reply } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { type BaseModel, isUncertain, type Transaction } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { isVisible } from "framewright/plugins/resources/toolkit";
import { shownItem } from "./answers.ts";
import { runWriting } from "./create_together.ts";
import { type ItemProblem, ItemWrite, itemProblem } from "./item_write.ts";

/** Creates each record by itself; 207 with what became of each, in their order. */
export async function createEach(controller: ResourceRequest, items: readonly ResourceRequest[]): Promise<Reply> {
  const data: object[] = [];
  let created = 0;
  for (const item of items) {
    const written = await writeOne(controller, item);
    if (written instanceof Problem) data.push(written.problem);
    else {
      controller.recordWriter = undefined; // that the request has written something is committed with the first
      created += 1;
      data.push(await outcomeOf(item, written));
    }
    await setImmediate(); // requests of this process have their turn between two records
  }
  const reply = controller.json({ data, meta: { created, failed: items.length - created } }, { status: 207 });
  reply.headers["preference-applied"] = "continue-on-error";
  return reply;
}

class Problem {
  readonly problem: ItemProblem;
  constructor(problem: ItemProblem) {
    this.problem = problem;
  }
}

export { Problem };

/** Creates one, with what `mark` writes in its transaction. @throws what `mark` throws */
export async function writeOne(
  controller: ResourceRequest,
  item: ResourceRequest,
  mark?: (transaction: Transaction) => Promise<void>,
): Promise<BaseModel | Problem> {
  let write: ItemWrite | undefined;
  let marking = false;
  try {
    const prepared = await ItemWrite.prepare(item);
    write = prepared;
    const { record } = await runWriting(controller, async (transaction) => {
      marking = false;
      const record = await prepared.write(transaction);
      marking = true;
      await mark?.(transaction);
      marking = false;
      return { record };
    });
    await prepared.committed(record);
    return record;
  } catch (error) {
    if (!isUncertain(error)) await write?.undone();
    if (marking) throw error;
    return new Problem(itemProblem(item, error) ?? unexpected(item, error));
  }
}

/** What nobody expects is logged: those that were created are answered all the same. */
function unexpected(item: ResourceRequest, error: unknown): ItemProblem {
  const { status = 500 } = error as { status?: number };
  const message = item.t("resource.background.error");
  item.request.application.log.error({ err: error }, `one of several records was not created: ${messageOf(error)}`);
  return { status, message, errors: { base: [message] } };
}

async function outcomeOf(item: ResourceRequest, record: BaseModel): Promise<object> {
  const { data, ignored } = await shownItem(item, record);
  const location = (await isVisible(item, record)) ? { location: item.urlFor(record) } : {};
  return { status: 201, data, ...location, ...(ignored.length > 0 ? { ignored } : {}) };
}
