import { BoundedCache } from "framewright/host";
import { BaseModel, labelColumns, type ModelInfo, type Omission, OmittedColumns } from "framewright/plugins/database";
import { inTurn } from "../definition/definition.ts";
import { Policy } from "../definition/policy.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/** Types of columns whose values may be long. */
const longTypes = new Set(["text", "json", "binary"]);
/** Choices of columns of one resource that are distinguished. */
const MAX_CHOICES = 50;

function longColumns(model: ModelInfo): string[] {
  const needed = new Set([...labelColumns, ...referringColumns(model)]);
  return [...model.columns.values()]
    .filter(({ name, type }) => longTypes.has(type) && !needed.has(name))
    .map(({ name }) => name);
}

/** What identifies the record of a row, its class, and what it belongs to: SQLite and PostgreSQL may have a text for it. */
const referringColumns = ({ key, associations, polymorphic, inheritance }: ModelInfo): string[] => [
  ...key.columns,
  ...(inheritance ? [inheritance.column] : []),
  ...[...associations.values()].flatMap(({ kind, key: own }) => (kind === "belongsTo" ? own.columns : [])),
  ...[...polymorphic.values()].flatMap(({ keyColumn, typeColumn }) => [keyColumn, typeColumn]),
];

/** What a list shows: the names of its columns, those of them that are associations, and its order. */
interface ShownList {
  readonly names: readonly string[];
  readonly loaded: readonly string[];
  readonly sorts: ListRequest["sorts"];
}

/**
 * The long columns that a list need not read, of its rows and of what they belong to: those that it neither shows nor is
 * sorted by, where no code of the application is given a whole record. Undefined where nothing is left out.
 */
export function unshownColumns(
  { resources, request }: ResourceRequest,
  registration: Registration,
  { names, loaded, sorts }: ShownList,
): Omission | undefined {
  const { model, definition } = registration;
  const known = registration.once("unshown columns", () => new BoundedCache<Omission | null>(MAX_CHOICES));
  const sorted = inTurn(sorts, definition).map(({ name }) => name);
  const omission = known.getOrMake(`${names.join()} ${loaded.join()} ${sorted.join()}`, () => {
    const isOwnOpen = hasOpenCondition(registration) || names.some((name) => isDrawnOfRecord(registration, name));
    const own = isOwnOpen || readsRecord(model, registration) ? [] : longColumns(model);
    const related = loaded.flatMap((name): [string, OmittedColumns][] => {
      const target = model.associations.get(name)?.target;
      if (!target || isDrawnOfRecord(registration, name)) return [];
      if (readsRecord(target, resources.registry.nearest(request.engine?.name, target))) return [];
      const omitted = omittedColumns(target, longColumns(target));
      return omitted ? [[name, omitted]] : [];
    });
    const shown = names.flatMap((name) => [name, ...(definition.handlers.get(name)?.columns ?? [])]);
    const unshown = own.filter((column) => !shown.includes(column) && !sorted.includes(column));
    const found = { own: omittedColumns(model, unshown), related: new Map(related) };
    return found.own || related.length > 0 ? found : null;
  });
  return omission ?? undefined;
}

const omittedColumns = ({ constant }: ModelInfo, names: readonly string[]): OmittedColumns | undefined =>
  names.length > 0 ? new OmittedColumns(constant, names) : undefined;

/** Whether conditions of actions read more of a record than short columns: any that is not written as `({ record }) => …`. */
const hasOpenCondition = ({ definition, model }: Registration): boolean =>
  [...definition.actions.values()].some(({ condition }) => {
    const [parameters, source] = [/^(?:condition\s*)?\(\{[\w\s,]*\}\)\s*(?:=>|\{)/, condition && String(condition)];
    return source !== undefined && (!parameters.test(source) || namesRecord(model, source.replace(parameters, "")));
  });

/** Whether an attribute is drawn of a record, rather than of its value alone, or a plugin's input in its cell may be. */
function isDrawnOfRecord(registration: Registration, name: string): boolean {
  const { source, types, listed, input } = registration.attribute(name);
  if (source === "getter" || [listed.format, listed.template, input.condition].some((one) => one !== undefined))
    return true;
  return source === "association" && !types.listed.byLabel;
}

/** Whether the label of a record, or the policy about it, reads more of it than columns that are never left out. */
function readsRecord(model: ModelInfo, registration: Registration | undefined): boolean {
  const { prototype } = model.class;
  if (prototype.toLabel !== BaseModel.prototype.toLabel || labelColumns.some((name) => name in prototype)) return true;
  for (let at: Function | undefined = registration?.policyClass; at && at !== Policy; at = Object.getPrototypeOf(at))
    if (namesRecord(model, String(at))) return true;
  return false;
}

/** Whether code names a record, other than for short columns as in `this.record?.author_id`, or passes a policy on. */
function namesRecord({ columns, class: { prototype } }: ModelInfo, source: string): boolean {
  const rest = source.replaceAll(/(?:\bthis\s*\.\s*)?\brecord\s*\??\.\s*(\w+)\b(?!\s*\()/g, (read, name: string) => {
    const type = columns.get(name)?.type;
    return type === undefined || longTypes.has(type) || name in prototype ? read : "";
  });
  return /\brecord\b|\bthis\b(?!\s*\??\.)/.test(rest);
}
