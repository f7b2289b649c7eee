import { type FormField, type FormValues, formsOf } from "../client.ts";
import type { Body } from "./bodies.ts";
import { acceptedFile } from "./files.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";

/** What a form is filled in with, beside marked texts. */
export interface FormFilling {
  readonly mark: string;
  /** The own record's id for a field that names one. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Fields that the form does not have, as those that another form has hidden. */
  readonly more?: FormValues;
}
/** A file of a form. */
export interface SentFile {
  readonly name: string;
  readonly filename: string;
  readonly type: string;
}

/** The fields of the form of a page that is sent to the path; undefined where there is none. */
export const fieldsOfForm = (html: string, path: string): Record<string, FormField> | undefined =>
  formsOf(html).find(({ action }) => action.replace(/[?#].*/, "") === path)?.fields;

/** The form of a page filled in with marked texts, as a body; undefined where the page has none that is sent to the path. */
export function filledForm(html: string, path: string, { mark, ids = {}, more = {} }: FormFilling): Body | undefined {
  const fields = fieldsOfForm(html, path);
  if (!fields) return undefined;
  const values: FormValues = {};
  const files: SentFile[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (name === "authenticity_token" || name === "_method") continue;
    if (field.type === "file") files.push({ name, ...fileFor(field, mark) });
    else values[name] = valueFor(name, field, mark, ids);
  }
  const sent = { ...values, ...more };
  if (files.length > 0) return multipart(sent, files, mark);
  return { type: FORM_TYPE, text: new URLSearchParams(sent).toString(), foreign: undefined };
}

function valueFor(name: string, { value, type, options }: FormField, mark: string, ids: FormFilling["ids"]): string {
  const id = ids?.[name];
  if (id !== undefined && (!options || options.includes(id))) return id;
  if (value !== "" || type === "hidden") return value;
  return options?.find((one) => one !== "") ?? textFor(type, mark);
}
function fileFor({ accept = "" }: FormField, mark: string) {
  const { name: filename, type } = acceptedFile(accept.split(","), mark);
  return { filename, type };
}

/** A body with a text file for each of the names. */
export function multipart(values: FormValues, files: readonly SentFile[], mark: string): Body {
  const boundary = `audit${mark}`;
  const part = (head: string, text: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const fields = Object.entries(values).map(([name, value]) => part(`name="${name}"`, value));
  const sent = files.map(({ name, filename, type }) =>
    part(`name="${name}"; filename="${filename}"\r\ncontent-type: ${type}`, mark),
  );
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
  if (type === "color") return "#aabbcc";
  if (type === "tel") return "+41310000000";
  if (type === "checkbox" || type === "radio") return "1";
  return mark;
}
