import type { FieldErrors } from "framewright/host";
import { type BaseModel, ValidationError } from "framewright/plugins/database";
import type { Transaction } from "objection";
import { AttributeInvalid } from "../definition/attribute_handler.ts";
import type { ResourceRequest } from "../request.ts";
import { fieldErrors, ruleErrors } from "./field_errors.ts";
import { type PreparedRecord, prepareRecord } from "./prepare_record.ts";
import { finishPrepared, isStale, report, undoPrepared, writePrepared } from "./save.ts";

/**
 * A record that is written in the transaction of another, as a row of its form: by a controller of its own, whose policy, rules,
 * tenant and hooks count as they do for a request. Its errors are below a path: `parcels.1.area`.
 */
export class NestedWrite {
  /** What is wrong with what was sent, by the rules of the model as well; empty where it can be written. */
  readonly errors: FieldErrors;
  readonly #controller: ResourceRequest;
  readonly #record: BaseModel | undefined;
  readonly #prepared: PreparedRecord;
  readonly #path: string;
  #isUnchanged = false;

  private constructor(
    controller: ResourceRequest,
    record: BaseModel | undefined,
    prepared: PreparedRecord,
    path: string,
  ) {
    this.#controller = controller;
    this.#record = record;
    this.#prepared = prepared;
    this.#path = path;
    const rules = ruleErrors(controller, prepared.columns, record ? "update" : "insert", prepared.names);
    this.errors = this.#below({ ...rules, ...prepared.errors });
  }

  /** Reads and checks what the controller's parameters have for the record; undefined for a new one. Nothing is written. */
  static async prepare(controller: ResourceRequest, record: BaseModel | undefined, path: string): Promise<NestedWrite> {
    return new NestedWrite(controller, record, await prepareRecord(controller, record), path);
  }

  /** What was read and is to be written, by column. */
  get columns(): Readonly<Record<string, unknown>> {
    return this.#prepared.columns;
  }

  /** Whether a row was sent for another version than the stored one. */
  static isStale(controller: ResourceRequest, current: BaseModel): boolean {
    return isStale(controller, current, true);
  }

  /**
   * Writes it, with columns that are not the person's choice, as the key of a parent that was written before; resolves with the
   * record, and whether anything changed. @throws AttributeInvalid, HttpError 404
   */
  async write(
    transaction: Transaction,
    keys: Readonly<Record<string, unknown>> = {},
  ): Promise<{ record: BaseModel; isChanged: boolean }> {
    const controller = this.#controller;
    Object.assign(this.#prepared.columns, keys);
    const saved = await writePrepared(controller, this.#record, this.#prepared, transaction).catch((error: unknown) => {
      if (error instanceof AttributeInvalid) throw this.#invalid(error.errors);
      if (!(error instanceof ValidationError)) throw error;
      throw this.#invalid(fieldErrors(controller, error.problems, this.#prepared.names));
    });
    if (!("record" in saved)) throw this.#invalid({ base: [controller.t("resource.stale_part")] });
    this.#isUnchanged = saved.isUnchanged === true;
    return { record: saved.record, isChanged: !this.#isUnchanged };
  }
  /** The transaction is committed: what its files replaced is deleted, and the event goes out. */
  async committed(record: BaseModel): Promise<void> {
    await finishPrepared(this.#prepared, record);
    if (!this.#isUnchanged) await report(this.#controller, this.#record ? "updated" : "created", record);
  }
  /** Nothing was written: what was stored for it is deleted. */
  undone(): Promise<void> {
    return undoPrepared(this.#prepared);
  }

  #invalid(errors: FieldErrors): AttributeInvalid {
    return new AttributeInvalid(this.#below(errors));
  }
  #below(errors: FieldErrors): FieldErrors {
    return Object.fromEntries(Object.entries(errors).map(([name, texts]) => [`${this.#path}.${name}`, texts]));
  }
}
