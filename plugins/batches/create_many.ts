import type { FieldErrors } from "framewright/host";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { AttributeInvalid, formFields, NestedWrite } from "framewright/plugins/resources/toolkit";
import type { BatchEntry } from "./enter.ts";
import type { Step } from "./perform.ts";
import { BatchRefused } from "./problems.ts";
import { sentValues } from "./values.ts";

/** What the errors of a row's record are below. */
const PATH = "row";

/** Reads and checks a row: by the policy, the fields and rules of its resource, and the hooks of plugins. @throws Refusal, BatchRefused, HttpError 403 */
export async function prepareRow(entry: BatchEntry, row: Readonly<Record<string, unknown>>): Promise<Step<BaseModel>> {
  const { key } = entry.registration;
  const controller = await entry.enter({ [key]: sentValues(row) });
  await controller.authorizeAction("create");
  const write = await NestedWrite.prepare(controller, undefined, PATH);
  const wrong = { ...ownNames(write.errors), ...unwritable(controller, row) };
  if (Object.keys(wrong).length > 0) {
    await write.undone();
    throw new BatchRefused(wrong);
  }
  let created: BaseModel;
  return {
    controller,
    async write(transaction: Transaction) {
      const written = await write.write(transaction).catch((error: unknown) => {
        throw error instanceof AttributeInvalid ? new BatchRefused(ownNames(error.errors)) : error;
      });
      created = written.record;
      return created;
    },
    committed: () => write.committed(created),
    undone: () => write.undone(),
  };
}

/** Names that the person may not write here are refused: a form has none of them. */
function unwritable(controller: ResourceController, row: Readonly<Record<string, unknown>>): FieldErrors {
  const { names } = formFields(controller, undefined, controller.params.nested(controller.registration.key));
  const others = Object.keys(row).filter((name) => row[name] !== undefined && !names.includes(name));
  return Object.fromEntries(others.map((name) => [name, [controller.t("batches.not_permitted")]]));
}

/** Errors under the names of the fields themselves. */
const ownNames = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, texts]) => [
      name.startsWith(`${PATH}.`) ? name.slice(PATH.length + 1) : name,
      texts,
    ]),
  );
