import type { BaseController, RequestContext } from "framewright/host";
import { type BaseModel, type Query, queryPlace, type Transaction } from "framewright/plugins/database";
import type { Success } from "framewright/plugins/resources";
import type { Anchored, AnchorOf } from "./anchored_record.ts";
import type { FlowFace, StagedFile, WizardClass, WizardContext, WizardFacts } from "./contract/index.ts";
import { errors } from "./errors.ts";
import type { Flow } from "./flow/flow.ts";
import { FlowSteps } from "./flow/flow_steps.ts";
import type { Answers } from "./flow/types.ts";
import { readOptions, type WizardOptions } from "./options.ts";

export { kindOf } from "./options.ts";

/**
 * The base of every wizard: made once for each request that needs it, and once more inside the transaction of
 * `execute`. An application's wizard extends `Wizard(flow, { … })`.
 */
export abstract class BaseWizard<Data = unknown, A extends BaseModel = BaseModel> {
  static readonly flow: FlowFace;
  static readonly facts: WizardFacts;

  readonly context: WizardContext;
  known: Data | undefined = undefined;
  /** Keys of the files that the application keeps when the run is done. */
  readonly keptFiles = new Set<string>();

  constructor(context: WizardContext) {
    this.context = context;
  }

  /** The answers by step: dates as Date, files as StagedFile, what was left empty null. */
  get data(): Readonly<Data> {
    this.known ??= (this.constructor as typeof BaseWizard).flow.data(this.context.staged) as Data;
    return this.known;
  }
  get controller(): BaseController {
    return this.context.controller;
  }
  get request(): RequestContext {
    return this.controller.request;
  }
  get currentUser(): BaseController["currentUser"] {
    return this.context.currentUser as BaseController["currentUser"];
  }
  get currentScopedEntity(): BaseController["currentScopedEntity"] {
    return this.context.currentScopedEntity as BaseController["currentScopedEntity"];
  }
  /** The record that it is about. @throws FW_WIZARD_UNANCHORED */
  get anchor(): A {
    if (!this.context.anchor) throw errors.FW_WIZARD_UNANCHORED(this.constructor.name);
    return this.context.anchor as A;
  }
  /** What `persist` made in earlier steps, by its key. */
  get persisted(): Readonly<Record<string, BaseModel>> {
    return this.context.persisted;
  }
  /** Takes a file over: it stays in the storage when the run is done. Returns its key, to be stored with a record. */
  keep(file: StagedFile): string {
    this.keptFiles.add(file.key);
    return file.key;
  }
  /** What `execute` writes in; for services that take one. @throws FW_WIZARD_TRANSACTION outside of it */
  get transaction(): Transaction {
    if (!this.context.transaction) throw errors.FW_WIZARD_TRANSACTION(this.constructor.name);
    return this.context.transaction;
  }
  /** A query of a model; inside `execute` it is in its transaction. In a scoped portal it stays within the tenant. */
  query<M extends BaseModel>(model: { new (): M }): Query<M> {
    const database = this.request.kernel.service("database");
    return database.queryIn(queryPlace(this.controller), model, this.context.transaction);
  }
  /** The same, of all tenants. */
  unscopedQuery<M extends BaseModel>(model: { new (): M }): Query<M> {
    return this.request.kernel.service("database").query(model, this.context.transaction);
  }
  /** Whether this person may go through it; without it everybody may who reaches it. False: 403. */
  authorize?(): boolean | Promise<boolean>;
  /**
   * Does what the wizard is for, once, in a transaction: `return succeed(company).withMessage("…")`. `fail(…)`, a record
   * that is not valid or an error undoes what it wrote, and the run stays open; what is wrong is shown at the step that
   * asks for it. A deadlock runs it again after it was undone.
   */
  abstract execute(): Promise<Success>;
}

/** What an application's wizard extends. */
export type WizardBase<Data, A extends BaseModel, O extends boolean = boolean> = (abstract new (
  context: WizardContext,
) => BaseWizard<Data, A>) & {
  readonly flow: FlowFace;
  readonly facts: WizardFacts & { readonly oneTime: O };
};

/**
 * The class that a wizard extends: `class Onboard extends Wizard(flow, { oneTime: true, … }) { async execute() { … } }`.
 * @throws FW_WIZARD_OPTIONS, FW_WIZARD_OPTION, FW_WIZARD_BULK
 */
export function Wizard<
  Data,
  Conditional extends keyof Data,
  H extends Anchored = never,
  const O extends boolean = false,
>(
  flow: Flow<Data, Conditional>,
  options: WizardOptions<H, O> = {},
): WizardBase<Answers<Data, Conditional>, AnchorOf<H>, O> {
  const facts = readOptions(flow.said, options) as WizardFacts & { readonly oneTime: O };
  const steps = new FlowSteps(flow);
  abstract class Made extends BaseWizard<Answers<Data, Conditional>, AnchorOf<H>> {
    static override readonly flow = steps;
    static override readonly facts = facts;
  }
  return Made;
}

/** Whether it is a class that extends `Wizard(…)`. */
export const isWizardClass = (value: unknown): value is WizardClass =>
  typeof value === "function" && value.prototype instanceof BaseWizard && "facts" in value;
