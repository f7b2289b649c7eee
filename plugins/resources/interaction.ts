import type { BaseController, ParamValue } from "framewright";
import type { BaseModel, Database, Query } from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { FieldOptions } from "./definition.ts";
import type { Outcome } from "./outcome.ts";

/** What an interaction asks for before it runs: a name to how it is asked. */
export type InteractionAttributes = Record<string, FieldOptions & { as: string }>;

export interface InteractionContext {
  record: BaseModel | undefined;
  controller: BaseController;
  database: Database;
  transaction: Transaction;
  values: Record<string, ParamValue>;
}

/**
 * One thing that can be done to a record, or to a collection: `this.action("publish", { interaction: PublishPost })`.
 * It runs in a transaction; a failed outcome undoes what it wrote (S4.3-R3).
 */
export abstract class Interaction<M extends BaseModel = BaseModel> {
  static attributes: InteractionAttributes = {};

  /** The record, of a record's action; undefined for one of the collection. */
  readonly record: M;
  readonly controller: BaseController;
  /** What was typed into the interaction's own form. */
  readonly values: Record<string, ParamValue>;
  readonly transaction: Transaction;
  readonly database: Database;

  constructor({ record, controller, values, transaction, database }: InteractionContext) {
    this.record = record as M;
    this.controller = controller;
    this.values = values;
    this.transaction = transaction;
    this.database = database;
  }

  get currentUser(): unknown {
    return this.controller.currentUser;
  }
  get currentScopedEntity(): unknown {
    return this.controller.currentScopedEntity;
  }
  /** A query of a model inside the interaction's transaction. */
  query<T extends BaseModel>(model: { new (): T }): Query<T> {
    return this.database.query(model, this.transaction);
  }
  abstract execute(): Promise<Outcome>;
}

export type InteractionClass = (new (
  context: InteractionContext,
) => Interaction) & { attributes: InteractionAttributes };
