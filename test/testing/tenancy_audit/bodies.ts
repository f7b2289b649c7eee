import type { RouteInfo } from "framewright/host";
import type { Registration } from "framewright/plugins/resources";
import { inputTypes } from "./field_types.ts";
import { acceptedFile } from "./files.ts";
import { FORM_TYPE, multipart } from "./forms.ts";
import type { MarkedRecords } from "./records.ts";
import { idOf, sampleValues } from "./sample_values.ts";

/** A body of an unsafe request; `foreign` names the field that leads to the other tenant. */
export interface Body {
  readonly type: string;
  readonly text: string;
  readonly foreign: string | undefined;
}
type Whose = "a" | "b";
type Values = Readonly<Record<string, unknown>>;
const JSON_TYPE = "application/json";

export const jsonBody = (value: object, foreign?: string): Body => ({
  type: JSON_TYPE,
  text: JSON.stringify(value),
  foreign,
});

/** The bodies of a request of a member of a tenant: with own values, then with each association leading to the other's record. */
export async function bodiesOf(
  route: RouteInfo,
  registration: Registration | undefined,
  records: MarkedRecords,
  count: number,
  side: Whose,
): Promise<Body[]> {
  if (route.verb === "DELETE" || !registration) return [jsonBody({})];
  const { key, model, definition } = registration;
  const { own, foreign } = await associationsOf(registration, records, side);
  const all = {
    ...sampleValues(model, { text: records.marks[side], count: 1000 + count }, {}, inputTypes(definition)),
    ...own,
  };
  const changed = foreign.flatMap(([name, id]) => [
    jsonBody({ [key]: { ...all, [name]: id } }, name),
    { ...formBody(key, { ...all, [name]: id }), foreign: name },
  ]);
  const files = fileBody(registration, all, records.marks[side]);
  return [jsonBody({ [key]: all }), ...(files ? [files] : []), ...changed];
}

/** What a member of a tenant may send to create a record: marked values that differ each time, and own associations. */
export async function ownValues(
  { model, definition }: Registration,
  records: MarkedRecords,
  side: Whose,
): Promise<Record<string, unknown>> {
  const { own } = await associationsOf({ model }, records, side);
  const mark = { text: records.marks[side], count: 50_000 + records.next() };
  return { ...sampleValues(model, mark, {}, inputTypes(definition)), ...own };
}

/** The ids that associations of a form take: the tenant's own, and those of the other's records, by each of their names. */
async function associationsOf({ model }: Pick<Registration, "model">, records: MarkedRecords, side: Whose) {
  const own: Record<string, unknown> = {};
  const foreign: [string, string | number][] = [];
  for (const { kind, name, target, key } of model.associations.values()) {
    if (kind !== "belongsTo") continue;
    const [mine, others] = [await records.get(target, side), await records.get(target, side === "a" ? "b" : "a")];
    if (mine) own[name] = idOf(mine);
    if (others && mine && idOf(mine) !== idOf(others))
      foreign.push([name, idOf(others)], [key.column ?? name, idOf(others)]);
  }
  return { own, foreign };
}

export function formBody(key: string, values: Values): Body {
  const text = new URLSearchParams(fieldsOf(key, values)).toString();
  return { type: FORM_TYPE, text, foreign: undefined };
}
const fieldsOf = (key: string, values: Values): Record<string, string> => {
  const flat = Object.entries(values).filter(([, value]) => typeof value !== "object");
  return Object.fromEntries(flat.map(([name, value]) => [`${key}[${name}]`, String(value)]));
};

/** The form of a resource with files; undefined for one that asks for none. */
export function fileBody({ key, definition }: Registration, values: Values, mark: string): Body | undefined {
  const inputs = [...definition.inputs].filter(([, { as }]) => as === "file");
  if (inputs.length === 0) return undefined;
  const files = inputs.map(([name, { accept = [] }]) => ({ name: `${key}[${name}]`, ...fileFor(accept, mark) }));
  return multipart(fieldsOf(key, values), files, mark);
}
const fileFor = (accept: readonly string[], mark: string) => {
  const { name: filename, type } = acceptedFile(accept, mark);
  return { filename, type };
};
