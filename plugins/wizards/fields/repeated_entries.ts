import { isParamObject, type ParamObject, type Params } from "framewright/host";
import type { FieldSpec, StepSpec } from "../contract/index.ts";
import { DEFAULT_MAX_ENTRIES, entriesOf } from "../flow/read_step.ts";
import { ADDED_MARKER } from "./nodes.ts";

/**
 * The typed input with an entry added or removed, if the button `_add` or `_remove` was pressed; undefined if not. `typed`
 * is the input under `wizard`, `params` the whole body.
 */
export function applyEntryButtons(
  step: Pick<StepSpec, "fields">,
  typed: Pick<Params, "toObject">,
  params: Pick<Params, "get">,
): ParamObject | undefined {
  const [added, removed] = [params.get("_add"), params.get("_remove")];
  if (typeof added === "string") return changeEntriesAt(step.fields, typed.toObject(), added.split("."), addEntry);
  if (typeof removed !== "string") return undefined;
  const path = removed.split(".");
  const index = Number(path.pop());
  return changeEntriesAt(step.fields, typed.toObject(), path, (entries) => entries.filter((_, at) => at !== index));
}

type EntriesChange = (entries: ParamObject[], field: FieldSpec) => ParamObject[];

const addEntry: EntriesChange = (entries, { options: { maximum = DEFAULT_MAX_ENTRIES } }) =>
  entries.length < maximum ? [...entries, {}] : entries;

/** Changes the entries at a path such as `people.invites`; an unknown path changes nothing. */
function changeEntriesAt(
  fields: readonly FieldSpec[],
  typed: ParamObject,
  [name, ...rest]: readonly string[],
  change: EntriesChange,
): ParamObject {
  const field = fields.find((one) => one.name === name);
  if (field?.type === "group") {
    const inner = typed[field.name];
    return { ...typed, [field.name]: changeEntriesAt(field.fields, isParamObject(inner) ? inner : {}, rest, change) };
  }
  if (field?.type !== "repeated") return typed;
  const entries = entriesOf(Object.hasOwn(typed, field.name) ? typed[field.name] : undefined) ?? [];
  const changed = rest.length === 0 ? change(entries, field) : changeNestedEntries(field, entries, rest, change);
  return { ...typed, [field.name]: changed.map((entry) => ({ ...entry, [ADDED_MARKER]: "1" })) };
}

const changeNestedEntries = (
  field: FieldSpec,
  entries: ParamObject[],
  [index, ...rest]: readonly string[],
  change: EntriesChange,
) => entries.map((entry, at) => (String(at) === index ? changeEntriesAt(field.fields, entry, rest, change) : entry));
