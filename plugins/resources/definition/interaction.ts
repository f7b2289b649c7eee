import type { BaseController, Tenant } from "framewright/host";
import { type BaseModel, type Database, type Query, queryPlace } from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { AnyInteractionAttributes } from "./interaction_values.ts";
import type { Outcome } from "./outcome.ts";

/** How people are shown what an interaction does. */
export interface Presentation {
  label?: string;
  /** A name of @tabler/icons. */
  icon?: string;
  /** What it does, in a sentence above its form or in the question before it runs. */
  description?: string;
}

/** What becomes of the others where one of several records can't be done. */
export type OnFailure = "continue" | "stop" | "rollback";

/** For whom an interaction's targets are found, and with which values. */
export interface TargetContext {
  values: Record<string, unknown>;
  currentUser: unknown;
  currentScopedEntity: Tenant | undefined;
}

/** What an interaction is created with. */
export interface InteractionContext {
  record: BaseModel | undefined;
  controller: BaseController;
  database: Database;
  transaction: Transaction;
  values: Record<string, unknown>;
}

/**
 * One thing that can be done to a record, or to a collection: `this.action("publish", { interaction: PublishPost })`.
 * It runs in a transaction; a failed outcome undoes what it wrote.
 */
export abstract class Interaction<M extends BaseModel = BaseModel, Values extends object = Record<string, unknown>> {
  static attributes: AnyInteractionAttributes = {};
  /** Whether the account has to confirm its identity first, unless it did so in the last ten minutes. */
  static confirms = false;
  /** Whether the answer is a download: `succeed().withFile(…)`. Its form is then sent by the browser itself. */
  static download = false;
  /**
   * Whether it runs as a job: on its record or, as an action of the collection, on each record of the list that it was
   * started from, in a transaction of its own.
   */
  static inBackground = false;
  /**
   * What becomes of the others where one of several records can't be done: "continue" does them, "stop" leaves those after it,
   * and "rollback" undoes those before it as well: all are done in one transaction, 100 at most, or none.
   */
  static onFailure: OnFailure = "continue";
  /** How actions with this interaction are presented, unless the action overrides it. */
  static presents: Presentation = {};

  /** The record, of a record's action; undefined for one of the collection. */
  readonly record: M;
  readonly controller: BaseController;
  /** The values of the inputs, each of its input's type and valid by its rules; null where nothing was given. */
  readonly values: Values;
  readonly transaction: Transaction;
  readonly database: Database;

  /** Narrows the records of the list to those that an interaction in the background is for. */
  static targets(query: Query<BaseModel>, _context: TargetContext): Query<BaseModel> {
    return query;
  }

  constructor({ record, controller, values, transaction, database }: InteractionContext) {
    this.record = record as M;
    this.controller = controller;
    this.values = values as Values;
    this.transaction = transaction;
    this.database = database;
  }

  get currentUser(): unknown {
    return this.controller.currentUser;
  }
  get currentScopedEntity(): Tenant | undefined {
    return this.controller.currentScopedEntity;
  }
  /** A text of the catalogues, in the person's language. */
  t(key: string, vars?: Record<string, unknown>): string {
    return this.controller.t(key, vars);
  }
  /** A query of a model inside the interaction's transaction. In a scoped portal it stays within the tenant. */
  query<T extends BaseModel>(model: { new (): T }): Query<T> {
    return this.database.queryIn(queryPlace(this.controller), model, this.transaction);
  }
  /** The same, of all tenants. */
  unscopedQuery<T extends BaseModel>(model: { new (): T }): Query<T> {
    return this.database.query(model, this.transaction);
  }
  abstract execute(): Promise<Outcome>;
  /**
   * What is done once what `execute` wrote is committed: events, for instance, that others hear of. A reply of the
   * controller's (`render`, `json`) is sent instead of the redirect.
   */
  async afterCommit(): Promise<void> {}
}

/** A class of interactions. */
export type InteractionClass = (new (
  context: InteractionContext,
) => Interaction) & {
  attributes: AnyInteractionAttributes;
  confirms: boolean;
  download: boolean;
  inBackground: boolean;
  onFailure: OnFailure;
  presents: Presentation;
  targets(query: Query<BaseModel>, context: TargetContext): Query<BaseModel>;
};
