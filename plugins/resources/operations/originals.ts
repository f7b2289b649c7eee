import { hash } from "node:crypto";
import type { Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { ORIGINALS } from "framewright/plugins/fields";
import { toInstant } from "framewright/plugins/views";
import { type Attribute, isFileField, isSecret } from "../definition/attributes.ts";
import { storedText, typedList, typedText } from "../pages/typed_text.ts";
import type { ResourceRequest } from "../request.ts";
import { chosenLinks, isLinks } from "./chosen_links.ts";
import { isReferenceHidden } from "./unchanged.ts";

const MARK_CHARS = 8;

/** The values that a form began with: enough to know which of them the person changed, and which were changed by somebody else. */
export class Originals {
  readonly #marks: ReadonlySet<string>;

  constructor(marks: string) {
    this.#marks = new Set(marks.match(/[\w-]{8}/g));
  }
  /** Whether the field of an attribute began with this text. */
  has(attribute: Attribute, text: string): boolean {
    return this.#marks.has(markOf(attribute, text));
  }
}

/** Those of a form that was sent; undefined where it has none, as a request of a program. */
export function originalsIn(params: Params): Originals | undefined {
  const marks = params.get(ORIGINALS);
  return typeof marks === "string" && marks !== "" ? new Originals(marks) : undefined;
}

/**
 * The marks of a record's stored values. Secrets and files have none, since an input of theirs that is left alone is empty, nor
 * have references that the person may not see: a mark of a key could be found by trying all keys.
 */
export async function originalMarks(
  controller: ResourceRequest,
  attributes: readonly Attribute[],
  record: BaseModel,
): Promise<string> {
  let marks = "";
  for (const attribute of attributes)
    if (
      !attribute.handler &&
      !isSecret(attribute) &&
      !isFileField(attribute) &&
      !(await isReferenceHidden(controller, attribute, record))
    )
      marks += markOf(attribute, await storedValue(controller, attribute, record));
  return marks;
}

/** What is stored as a field has it: a text, of several records their ids. */
export async function storedValue(
  controller: ResourceRequest,
  attribute: Attribute,
  record: BaseModel,
): Promise<string> {
  if (!isLinks(attribute)) return storedText(attribute, record) ?? "";
  return idsText(await chosenLinks(controller, attribute, { record, typed: undefined }));
}

/** What was sent, likewise. */
export const sentValue = (attribute: Attribute, sent: Params): string =>
  isLinks(attribute)
    ? idsText(typedList(sent, attribute.name))
    : (typedText(sent, attribute.name, attribute.types.input) ?? "");

const idsText = (ids: readonly string[]): string => [...ids].sort().join();

/** Whether two texts are one value: browsers and languages write times, numbers and line ends in their own forms. */
export const isSameValue = (attribute: Attribute, one: string, other: string): boolean =>
  one === other || plainText(attribute, one) === plainText(attribute, other);

const markOf = (attribute: Attribute, text: string): string =>
  hash("sha1", `${attribute.name}\0${plainText(attribute, text)}`, "base64url").slice(0, MARK_CHARS);

function plainText({ column, cents, types }: Attribute, text: string): string {
  if (text === "") return "";
  if (cents !== undefined) return plainNumber(text);
  switch (column?.type) {
    case "datetime":
      return String(toInstant(text)?.getTime() ?? text);
    case "time":
      return text.replace(/:00(?:\.0+)?$/, "");
    case "decimal":
    case "float":
    case "integer":
    case "bigint":
      return plainNumber(text);
    case "string":
      return types.input.wide ? lines(text) : text.replace(/[\r\n]/g, ""); // an input of one line drops line ends
    default:
      return lines(text);
  }
}

const lines = (text: string): string => text.replaceAll("\r\n", "\n");

/** Without signs, zeros and points that do not count: "+012.50" is "12.5". What is no plain number stays as it is. */
function plainNumber(text: string): string {
  const parts = text.length > 1000 ? undefined : /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text.trim().replace(",", "."));
  if (!parts) return text;
  const whole = parts[2]!.replace(/^0+(?=\d)/, "");
  const fraction = (parts[3] ?? "").replace(/0+$/, "");
  const digits = fraction === "" ? whole : `${whole}.${fraction}`;
  return parts[1] === "-" && digits !== "0" ? `-${digits}` : digits;
}
