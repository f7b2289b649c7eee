import type { FieldErrors, HttpError } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { AttributeInvalid, isDenial, NestedWrite } from "framewright/plugins/resources/toolkit";

/** What the errors of a record are below. */
const PATH = "item";

/** A record that was refused: by the policy, its rules or the database. */
export interface ItemProblem {
  readonly status: number;
  readonly message: string;
  readonly errors: FieldErrors;
}

/** A record that was read and checked, as a request of its own would be. */
export class ItemWrite {
  readonly controller: ResourceRequest;
  readonly #nested: NestedWrite;

  private constructor(controller: ResourceRequest, nested: NestedWrite) {
    this.controller = controller;
    this.#nested = nested;
  }
  /** Checks the policy, and what was sent. Nothing is written. @throws HttpError 403, 422 */
  static async prepare(controller: ResourceRequest): Promise<ItemWrite> {
    await controller.authorizeAction("create");
    controller.recordWriter = undefined; // the one of the request as a whole writes
    const nested = await NestedWrite.prepare(controller, undefined, PATH);
    if (Object.keys(nested.errors).length === 0) return new ItemWrite(controller, nested);
    await nested.undone();
    throw new AttributeInvalid(nested.errors);
  }

  /** @throws AttributeInvalid, HttpError 404 */
  async write(transaction: Transaction): Promise<BaseModel> {
    return (await this.#nested.write(transaction)).record;
  }
  /** It is committed; what fails after that is logged. */
  async committed(record: BaseModel): Promise<void> {
    try {
      await this.#nested.committed(record);
    } catch (error) {
      const { log } = this.controller.request.application;
      log.error({ err: error }, `what comes after the commit of one of several records failed: ${messageOf(error)}`);
    }
  }
  undone(): Promise<void> {
    return this.#nested.undone();
  }
}

/** Why a record was not created; undefined for an unexpected error. */
export function itemProblem(controller: ResourceRequest, error: unknown): ItemProblem | undefined {
  if (error instanceof AttributeInvalid)
    return { status: 422, message: controller.t("resource.invalid"), errors: ownNames(error.errors) };
  if (!isDenial(error)) return undefined;
  const message = error.message.replace(/^FW_\w+: /, "");
  const { fields = {} } = error as HttpError;
  return {
    status: error.status,
    message,
    errors: Object.keys(fields).length > 0 ? ownNames(fields) : { base: [message] },
  };
}

const ownNames = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, texts]) => [
      name.startsWith(`${PATH}.`) ? name.slice(PATH.length + 1) : name,
      texts,
    ]),
  );
