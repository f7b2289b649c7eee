import { type FieldErrors, localeOf } from "framewright/host";
import { suggest } from "framewright/kernel";
import {
  type AnyRecord,
  type BaseModel,
  type HandledValue,
  type ModelInfo,
  oncePerColumns,
  type Problem,
  valueProblems,
} from "framewright/plugins/database";
import { type FieldContext, fieldView, problemOf } from "framewright/plugins/fields";
import type { DefinitionPlace, ResourceDefinition } from "framewright/plugins/resources";
import type { AttributeHandler } from "framewright/plugins/resources/toolkit";
import { combinedFilters, orderOf } from "./combined_lists.ts";
import { type CompositeType, compositeTypes, type PartErrors } from "./composite.ts";
import { errors } from "./errors.ts";

/** The type of a name that represents several columns, so that policies compile: `declare stay: Combined`. */
export type Combined = HandledValue;

type Kind = keyof typeof compositeTypes;
interface CombinedKinds {
  period: "from" | "to";
  address: "street" | "postcode" | "city" | "country";
  amount: "amount" | "currency";
}
/** How several columns are entered and shown as one. */
export interface CombinedOptions<M extends AnyRecord = BaseModel, K extends Kind = Kind> {
  as: K;
  /** The column of each part: `{ from: "starts_on", to: "ends_on" }`. */
  columns: Readonly<Record<CombinedKinds[K], Exclude<keyof M, keyof BaseModel> & string>>;
  /** The part by which lists are sorted; by default they are by all of them in turn. False for none. */
  sort?: CombinedKinds[K] | false;
  label?: string;
  hint?: string;
  condition?(context: FieldContext<M>): boolean;
}
interface Declared {
  readonly as: Kind;
  readonly type: CompositeType;
  /** The parts that lists are sorted by. */
  readonly sortedBy: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /**
     * Several columns as one field: `this.combined("stay", { as: "period", columns: { from: "starts_on", to: "ends_on" } })`.
     * Policies permit its name.
     */
    combined<K extends Kind>(name: string, options: CombinedOptions<M, K>): void;
  }
}

/** Module-level: found by a definition, and freed with it: its combined fields, by name. */
const declaredBy = new WeakMap<object, Map<string, Declared>>();

/** The macro `combined`. @throws FW_COMBINED */
export const combinedMacro =
  (definition: ResourceDefinition) =>
  (name: string, { as, columns, label, hint, condition, sort }: CombinedOptions): void => {
    const type = (compositeTypes as Readonly<Record<string, CompositeType | undefined>>)[as];
    const by = definition.constructor.name;
    if (!type)
      throw errors.FW_COMBINED(by, name, `as: "${String(as)}"`, `as: ${Object.keys(compositeTypes).join(" or ")}`);
    const keys = type.parts.map(({ key }) => key);
    const given = Object.keys(columns ?? {});
    if (keys.length !== given.length || !keys.every((key) => given.includes(key)))
      throw errors.FW_COMBINED(by, name, `columns for ${given.join(", ")}`, `a column for each of ${keys.join(", ")}`);
    const sortedBy = sort === undefined ? keys : sort === false ? [] : [sort];
    if (!sortedBy.every((key) => keys.includes(key)))
      throw errors.FW_COMBINED(by, name, `sort: "${String(sort)}"`, `one of ${keys.join(", ")}, or false`);
    const known = declaredBy.get(definition) ?? new Map<string, Declared>();
    const declared: Declared = { as, type, columns: columns as Record<string, string>, sortedBy };
    declaredBy.set(definition, known.set(name, declared));
    definition.handle(name, combinedHandler(declared));
    const shared = { as: as as Kind, ...(label === undefined ? {} : { label }) };
    definition.input(name as never, {
      ...shared,
      ...(hint === undefined ? {} : { hint }),
      ...(condition ? { condition: condition as never } : {}),
    });
    definition.display(name as never, shared);
  };

/** Sorts and filters by combined fields, by what is known of the columns by then. @throws FW_COMBINED for a column that there is not */
export function settleCombined(definition: ResourceDefinition, { model }: DefinitionPlace): void {
  for (const [name, declared] of declaredBy.get(definition) ?? []) {
    const { as, columns, sortedBy } = declared;
    if (model.settled) checkColumns(definition, name, columns, model);
    const filter = oncePerColumns((info: ModelInfo) => combinedFilters[as]!(info, columns));
    const order = oncePerColumns((info: ModelInfo) => orderOf(info, columns, sortedBy) as never);
    definition.handle(name, {
      ...combinedHandler(declared),
      get filter() {
        return filter(model);
      },
    });
    if (sortedBy.length === 0 || definition.sorts.has(name)) continue;
    definition.sorts.set(name, {
      get columns() {
        return order(model);
      },
      get reads() {
        return order(model);
      },
    });
  }
}

function checkColumns(definition: ResourceDefinition, name: string, columns: Declared["columns"], model: ModelInfo) {
  const known = [...model.columns.keys()];
  for (const column of Object.values(columns))
    if (!known.includes(column)) {
      const meant = suggest(column, known);
      const fix = `a column of ${model.table}${meant === undefined ? "" : `, as "${meant}"`}`;
      throw errors.FW_COMBINED(definition.constructor.name, name, `the column "${column}"`, fix);
    }
}

/** What the column and the plain rules of its model report of a part, shown beside it. */
function columnProblems({ class: cls, columns }: ModelInfo, column: string, value: unknown): Problem[] {
  const { maxLength } = columns.get(column) ?? {};
  if (typeof value === "string" && maxLength !== undefined && value.length > maxLength)
    return [
      { key: "errors.too_long", vars: { count: maxLength }, message: `is too long (at most ${maxLength} characters)` },
    ];
  return valueProblems(value, cls.validations[column] ?? {});
}

function combinedHandler({ type, columns }: Declared): AttributeHandler {
  const keys = type.parts.map(({ key }) => key);
  /** Of the columns of a record; null where all are empty. */
  const combinedValue = (column: (name: string) => unknown) => {
    const texts = keys.map((key) => {
      const value = column(columns[key]!) ?? null;
      return [key, value === null || value === "" ? null : String(value)] as const;
    });
    return texts.every(([, text]) => text === null) ? null : type.settle(Object.fromEntries(texts));
  };
  return {
    plugin: "extra_fields",
    isNew: true,
    columns: Object.values(columns),
    load: async (entries) => entries.map((entry) => combinedValue((name) => entry.column(name))),
    async read({ controller, attribute: { name }, sent }) {
      const given = sent.get(name);
      if (given === undefined) return undefined;
      const read = type.read(given, {});
      if ("problem" in read) {
        const { key, message, vars } = problemOf(read);
        return { errors: { [name]: [controller.request.tOr(key, message, vars)] } };
      }
      const values: Readonly<Record<string, unknown>> = read.value ?? {};
      const refused = keys.flatMap((key) => {
        const problems = columnProblems(controller.registration.model, columns[key]!, values[key] ?? null);
        const texts = problems.map(({ key: text, message, vars }) => controller.request.tOr(text, message, vars));
        return texts.length > 0 ? [[`${name}.${key}`, texts]] : [];
      });
      if (refused.length > 0) return { errors: Object.fromEntries(refused) as FieldErrors };
      return { columns: Object.fromEntries(keys.map((key) => [columns[key]!, values[key] ?? null])) };
    },
    async draw({
      controller,
      attribute: { name, input, label },
      record,
      typed,
      pattern,
      errors: wrong,
      id,
      inputName,
    }) {
      const t = controller.t.bind(controller);
      const source = record ?? pattern;
      const { model } = controller.registration;
      const initial = (column: string) => {
        const given = model.class.defaults[column];
        return given !== undefined && typeof given !== "function" ? given : model.columns.get(column)?.default;
      };
      const stored = combinedValue(source ? (column) => Reflect.get(source, column) : initial);
      const value = typed?.has(name) ? typed.get(name) : stored;
      const place = { name, id, inputName, errors: wrong[name] ?? [], timeZone: controller.request.timeZone };
      const locale = localeOf(controller.request.locale);
      const text = typeof value === "string" ? value : JSON.stringify(value ?? {});
      const view = fieldView({ ...input, label }, { ...place, value: text, locale }, type);
      const ofParts: PartErrors = Object.fromEntries(keys.map((key) => [key, wrong[`${name}.${key}`] ?? []]));
      const parts = type.parts.map(({ key }, index) => ({
        id: index === 0 ? id : `${id}_${key}`,
        label: t(`extra_fields.${input.as}.${key}`),
        errors: ofParts[key] ?? [],
      }));
      return { content: type.draw(view, t, ofParts), parts };
    },
  };
}
