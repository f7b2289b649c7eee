import type { BaseController } from "framewright/host";
import { BaseModel, labelColumns, ModelInfo } from "framewright/plugins/database";
import { areListed, type HiddenColumns, hiddenColumns } from "../operations/hidden_columns.ts";
import type { Registration } from "../registration/registration.ts";
import { labelsFor } from "../registration/resource_texts.ts";
import { isFoundVisible } from "./hidden_references.ts";
import { hasStandardLabel, labelReads } from "./label_reads.ts";

/** The columns that the labels of a model's records are built from, for somebody. */
class LabelRule {
  /** Undefined where the portal does not serve the model: what names its records decides about them then. */
  readonly registration: Registration | undefined;
  readonly #controller: BaseController;
  readonly #model: ModelInfo;
  #hidden: HiddenColumns | undefined;
  #isOpen: boolean | undefined;

  constructor(controller: BaseController, model: ModelInfo) {
    const { registry } = controller.request.kernel.service("resources");
    this.registration = registry.nearest(controller.request.engine?.name, model);
    this.#controller = controller;
    this.#model = model;
  }
  /** The columns that it may not be built from. */
  get hidden(): HiddenColumns {
    this.#hidden ??= this.registration ? hiddenFromLabel(this.#controller, this.registration) : nothing;
    return this.#hidden;
  }
  /** Whether no column that the label is built from is hidden. */
  get isOpen(): boolean {
    this.#isOpen ??= !this.registration || isOpenFor(this.#controller, this.#model, this.registration, this);
    return this.#isOpen;
  }
}

const nothing: ReadonlySet<never> = new Set();
/** Module-level: found by a controller, and freed with it. */
const RULES = Symbol("label rules");
/** A controller with the rules that it has found: in a WeakMap they would keep it from the collector of young objects. */
interface HasRules {
  [RULES]?: Map<ModelInfo, LabelRule>;
}

function ruleFor(controller: BaseController, model: ModelInfo): LabelRule {
  const holder = controller as HasRules;
  holder[RULES] ??= new Map();
  const rules = holder[RULES];
  let rule = rules.get(model);
  if (!rule) {
    rule = new LabelRule(controller, model);
    rules.set(model, rule);
  }
  return rule;
}

function hiddenFromLabel(controller: BaseController, registration: Registration): HiddenColumns {
  const hidden = hiddenColumns(controller, registration);
  if (hidden.size === 0) return hidden;
  const resources = controller.request.kernel.service("resources");
  const policy = resources.policy(controller, registration.policyClass, undefined);
  return withoutPermitted(hidden, policy.permittedAttributesForLabel());
}

function isOpenFor(controller: BaseController, model: ModelInfo, registration: Registration, rule: LabelRule): boolean {
  const { reads } = labelReads(model);
  const { registry } = controller.request.kernel.service("resources");
  const scoped = registry.scopedReferences(registration.owner, model);
  if (model.class.labelAssociations.some((name) => scoped.has(name))) return false;
  if (reads === undefined) return false;
  const isShown = (target: ModelInfo, column: string) =>
    target === model || !ruleFor(controller, target).hidden.has(column);
  if (!reads.others.every(([target, column]) => isShown(target, column))) return false;
  const own = [...reads.own];
  return areListed(controller, registration, own) || !own.some((column) => rule.hidden.has(column));
}

/** Hidden columns without those that a policy permits labels to be built from. */
export function withoutPermitted(hidden: HiddenColumns, permitted: readonly string[]): HiddenColumns {
  return permitted.length === 0 ? hidden : new Set([...hidden].filter((name) => !permitted.includes(name)));
}

/** Whether the labels of a model's records are what `toLabel` returns. */
export const isLabelOpen = (controller: BaseController, model: ModelInfo): boolean => ruleFor(controller, model).isOpen;

/**
 * What people call a record, built from columns that the policy of its resource permits the person to read, or permits labels to
 * be built from (`permittedAttributesForLabel`): where `toLabel()` reads another one, "Permit 12".
 */
export function labelOf(controller: BaseController, record: BaseModel): string {
  const model = ModelInfo.ofRecord(record);
  const rule = ruleFor(controller, model);
  if (rule.isOpen) return record.toLabel();
  const label = hasStandardLabel(model) ? standardLabel(record, rule) : trackedLabel(controller, record, rule);
  return (
    label ?? `${labelsFor(controller, rule.registration!).one} ${[record.$id() ?? ""].flat().join(", ")}`.trimEnd()
  );
}

function standardLabel(record: BaseModel, { hidden }: LabelRule): string | undefined {
  const values = record as unknown as Record<string, unknown>;
  const named = labelColumns.filter((name) => !hidden.has(name)).map((name) => values[name]);
  return named.find((value): value is string => typeof value === "string" && value !== "");
}

/** What `toLabel` of an application returns; undefined where it reads a hidden column. */
function trackedLabel(controller: BaseController, record: BaseModel, rule: LabelRule): string | undefined {
  const seen = { isHidden: false };
  try {
    const label = tracked(controller, record, rule, seen).toLabel();
    return seen.isHidden ? undefined : label;
  } catch (error) {
    if (seen.isHidden || error instanceof TypeError) return undefined; // a private field of its own is not read through a proxy
    throw error;
  }
}

/** A record that notes whether a hidden column is read of it, or of a record that it belongs to. */
function tracked(
  controller: BaseController,
  record: BaseModel,
  { hidden }: LabelRule,
  seen: { isHidden: boolean },
): BaseModel {
  const model = ModelInfo.ofRecord(record);
  const { registry } = controller.request.kernel.service("resources");
  const scoped = registry.scopedReferences(controller.request.engine?.name, model);
  return new Proxy(record, {
    get(target, name, self) {
      if (typeof name !== "string") return Reflect.get(target, name, self);
      if (model.columnsOf(name).some((column) => hidden.has(column))) seen.isHidden = true;
      const value: unknown = Reflect.get(target, name, self);
      if (!(value instanceof BaseModel)) return value;
      if (scoped.has(name) && !isFoundVisible(value)) seen.isHidden = true;
      return tracked(controller, value, ruleFor(controller, ModelInfo.ofRecord(value)), seen);
    },
  });
}

/** A value with records in it as displays are given it: by the labels that the person may read. */
export function labelledValue(controller: BaseController, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => labelledValue(controller, one));
  return value instanceof BaseModel ? { toLabel: () => labelOf(controller, value) } : value;
}
