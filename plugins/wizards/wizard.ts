import type { BaseController, RequestContext } from "framewright/host";
import { type BaseModel, type Query, queryPlace, type Transaction } from "framewright/plugins/database";
import type { Success } from "framewright/plugins/resources";
import type { Anchored, AnchorOf } from "./anchored_record.ts";
import type { StagedFile, WizardClass, WizardContext, WizardFlow, WizardMetadata } from "./contract/index.ts";
import { errors } from "./errors.ts";
import type { Flow } from "./flow/flow.ts";
import { FlowSteps } from "./flow/flow_steps.ts";
import type { Answers } from "./flow/types.ts";
import { readOptions, type WizardOptions } from "./options.ts";

export { kindOf } from "./options.ts";

/**
 * The base of every wizard: instantiated per request, and again inside the transaction of `execute`. An application's
 * wizard extends `Wizard(flow, { … })`.
 */
export abstract class BaseWizard<Data = unknown, A extends BaseModel = BaseModel> {
  static readonly flow: WizardFlow;
  static readonly metadata: WizardMetadata;

  readonly context: WizardContext;
  #data: Data | undefined = undefined;
  /** Keys of the files that stay in the storage after the run. */
  readonly keptFiles = new Set<string>();

  constructor(context: WizardContext) {
    this.context = context;
  }

  /** The answers by step: dates as Date, files as StagedFile, empty fields as null. */
  get data(): Readonly<Data> {
    this.#data ??= (this.constructor as typeof BaseWizard).flow.data(this.context.staged) as Data;
    return this.#data;
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
  /** The records that steps created with `persist`, by key. */
  get persisted(): Readonly<Record<string, BaseModel>> {
    return this.context.persisted;
  }
  /** Keeps a file in the storage after the run. Returns its key, to be stored with a record. */
  keep(file: StagedFile): string {
    this.keptFiles.add(file.key);
    return file.key;
  }
  /** The transaction of `execute`, for services that take one. @throws FW_WIZARD_TRANSACTION outside of `execute` */
  get transaction(): Transaction {
    if (!this.context.transaction) throw errors.FW_WIZARD_TRANSACTION(this.constructor.name);
    return this.context.transaction;
  }
  /** A query; inside `execute` in its transaction, in a scoped portal within the tenant. */
  query<M extends BaseModel>(model: { new (): M }): Query<M> {
    const database = this.request.kernel.service("database");
    return database.queryIn(queryPlace(this.controller), model, this.context.transaction);
  }
  /** A query over all tenants. */
  unscopedQuery<M extends BaseModel>(model: { new (): M }): Query<M> {
    return this.request.kernel.service("database").query(model, this.context.transaction);
  }
  /** Whether this person may use the wizard (false: 403). Without this method everybody may who reaches its mount. */
  authorize?(): boolean | Promise<boolean>;
  /**
   * Runs once, in a transaction, when the last step is submitted: `return succeed(company).withMessage("…")`. `fail(…)`, an
   * invalid record or an error rolls it back, and the run stays open; validation errors are shown at the step that asks
   * for the field. After a deadlock it is rolled back and runs again.
   */
  abstract execute(): Promise<Success>;
}

/** The class that an application's wizard extends. */
export type WizardBase<Data, A extends BaseModel, O extends boolean = boolean> = (abstract new (
  context: WizardContext,
) => BaseWizard<Data, A>) & {
  readonly flow: WizardFlow;
  readonly metadata: WizardMetadata & { readonly oneTime: O };
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
  const metadata = readOptions(flow.declaredSteps, options) as WizardMetadata & { readonly oneTime: O };
  const steps = new FlowSteps(flow);
  abstract class ConfiguredWizard extends BaseWizard<Answers<Data, Conditional>, AnchorOf<H>> {
    static override readonly flow = steps;
    static override readonly metadata = metadata;
  }
  return ConfiguredWizard;
}

/** Whether a value is a class that extends `Wizard(…)`. */
export const isWizardClass = (value: unknown): value is WizardClass =>
  typeof value === "function" && value.prototype instanceof BaseWizard && "metadata" in value;
