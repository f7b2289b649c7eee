import type { RouteInfo } from "framewright/host";
import type { Registration } from "framewright/plugins/resources";
import { type FormValues, formsOf } from "../client.ts";
import type { MarkedRecords } from "./records.ts";
import type { AuditAttempt } from "./report.ts";
import { idOf, sampleValues } from "./sample_values.ts";
import type { Sent } from "./visitor.ts";

/** A body of an unsafe request; `foreign` names the field that leads to the other tenant. */
export interface Body {
  readonly type: string;
  readonly text: string;
  readonly foreign: string | undefined;
}
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** The bodies of a request of a member of A: with own values, then with each association leading to the record of B. */
export async function bodiesOf(
  route: RouteInfo,
  registration: Registration | undefined,
  records: MarkedRecords,
  count: number,
): Promise<Body[]> {
  if (route.verb === "DELETE") return [{ type: JSON_TYPE, text: "{}", foreign: undefined }];
  if (!registration) return [{ type: JSON_TYPE, text: "{}", foreign: undefined }];
  const own: Record<string, unknown> = {};
  const foreign: [string, string | number][] = [];
  for (const { kind, name, target, foreignKey } of registration.model.associations.values()) {
    if (kind !== "belongsTo") continue;
    const [a, b] = [await records.get(target, "a"), await records.get(target, "b")];
    if (a) own[name] = idOf(a);
    if (b && a && idOf(a) !== idOf(b)) foreign.push([name, idOf(b)], [foreignKey, idOf(b)]);
  }
  const values = sampleValues(registration.model, { text: records.marks.a, count: 1000 + count }, {});
  const all = { ...values, ...own };
  const json = (given: object, field?: string): Body => ({
    type: JSON_TYPE,
    text: JSON.stringify({ [registration.key]: given }),
    foreign: field,
  });
  const changed = foreign.flatMap(([name, id]) => [
    json({ ...all, [name]: id }, name),
    { ...formBody(registration.key, { ...all, [name]: id }), foreign: name },
  ]);
  return [json(all), ...changed];
}

function formBody(key: string, values: Readonly<Record<string, unknown>>): Body {
  const flat = Object.entries(values).filter(([, value]) => typeof value !== "object");
  const fields = Object.fromEntries(flat.map(([name, value]) => [`${key}[${name}]`, String(value)]));
  const text = new URLSearchParams(fields).toString();
  return { type: FORM_TYPE, text, foreign: undefined };
}

/** The requests that read a path: as a page and as JSON, and with own records also with the other tenant in the query. */
export function readsOf(
  path: string,
  kind: AuditAttempt,
  records: MarkedRecords,
  parameter: string | undefined = "tenant_id",
): Sent[] {
  const page = { method: "GET", url: path };
  const json = { method: "GET", url: `${path}.json`, accept: "application/json" };
  if (kind !== "own records") return [page, json];
  const tenant = `${parameter}=${idOf(records.tenant("b"))}`;
  const search = `per_page=100&q=${records.marks.b.slice(0, 8)}`; // a part of the mark: pages repeat what was searched
  return [page, json, { ...json, url: `${json.url}?${search}&${tenant}` }, { ...page, url: `${path}?${tenant}` }];
}

/** The form of a page filled in with marked texts, as a body; undefined where the page has none that is sent to the path. */
export function filledForm(html: string, path: string, mark: string): Body | undefined {
  const form = formsOf(html).find(({ action }) => action.replace(/[?#].*/, "") === path);
  if (!form) return undefined;
  const values: FormValues = {};
  const files: string[] = [];
  for (const [name, { value, type, options }] of Object.entries(form.fields)) {
    if (name === "authenticity_token" || name === "_method") continue;
    if (type === "file") files.push(name);
    if (type === "file") continue;
    values[name] =
      value !== "" || type === "hidden" ? value : (options?.find((one) => one !== "") ?? textFor(type, mark));
  }
  if (files.length > 0) return multipart(values, files, mark);
  return { type: FORM_TYPE, text: new URLSearchParams(values).toString(), foreign: undefined };
}

/** A body with a text file for each of the names. */
function multipart(values: FormValues, files: readonly string[], mark: string): Body {
  const boundary = `audit${mark}`;
  const part = (head: string, text: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const fields = Object.entries(values).map(([name, value]) => part(`name="${name}"`, value));
  const sent = files.map((name) => part(`name="${name}"; filename="${mark}.txt"\r\ncontent-type: text/plain`, mark));
  const text = `${[...fields, ...sent].join("")}--${boundary}--\r\n`;
  return { type: `multipart/form-data; boundary=${boundary}`, text, foreign: undefined };
}

function textFor(type: string, mark: string): string {
  if (type === "email") return `${mark}@audit.test`;
  if (type === "url") return `https://audit.test/${mark}`;
  if (type === "number" || type === "range") return "1";
  if (type === "date") return "2026-01-31";
  if (type === "datetime-local") return "2026-01-31T12:00";
  if (type === "time") return "12:00";
  if (type === "checkbox" || type === "radio") return "1";
  return mark;
}
