import { isParamObject, type ParamObject, type Params } from "framewright/host";
import type { FieldSpec, StepSpec } from "../contract/index.ts";
import { entriesOf, MOST_ENTRIES } from "../flow/read_step.ts";
import { ADDED } from "./nodes.ts";

/**
 * What was typed, with one entry more or less where a button `_add` or `_remove` was pressed; undefined where none was.
 * `typed` is what stands under `wizard`, `params` the whole body.
 */
export function applyRepeat(
  step: Pick<StepSpec, "fields">,
  typed: ParamObject,
  params: Pick<Params, "get">,
): ParamObject | undefined {
  const [added, removed] = [params.get("_add"), params.get("_remove")];
  if (typeof added === "string") return change(step.fields, typed, added.split("."), addEntry);
  if (typeof removed !== "string") return undefined;
  const path = removed.split(".");
  const index = Number(path.pop());
  return change(step.fields, typed, path, (entries) => entries.filter((_, at) => at !== index));
}

type Change = (entries: ParamObject[], field: FieldSpec) => ParamObject[];

const addEntry: Change = (entries, { options: { maximum = MOST_ENTRIES } }) =>
  entries.length < maximum ? [...entries, {}] : entries;

/** Follows a path such as `people.invites`; one that leads nowhere changes nothing. */
function change(
  fields: readonly FieldSpec[],
  typed: ParamObject,
  [name, ...rest]: readonly string[],
  work: Change,
): ParamObject {
  const field = fields.find((one) => one.name === name);
  if (field?.type === "group") {
    const inner = typed[field.name];
    return { ...typed, [field.name]: change(field.fields, isParamObject(inner) ? inner : {}, rest, work) };
  }
  if (field?.type !== "repeated") return typed;
  const entries = entriesOf(Object.hasOwn(typed, field.name) ? typed[field.name] : undefined) ?? [];
  const changed = rest.length === 0 ? work(entries, field) : within(field, entries, rest, work);
  return { ...typed, [field.name]: changed.map((entry) => ({ ...entry, [ADDED]: "1" })) };
}

const within = (field: FieldSpec, entries: ParamObject[], [index, ...rest]: readonly string[], work: Change) =>
  entries.map((entry, at) => (String(at) === index ? change(field.fields, entry, rest, work) : entry));
