import { usage } from "framewright/generators";

/** What may follow the type. */
export const modifiers = ["uniq", "index"];
const braceOptions = ["default", "class", "scope", "on_delete"];

/** The parts of a field's text. */
export function splitField(text: string) {
  const { rest, inside } = takeBraces(text);
  const [first = "", ...more] = rest.split(":");
  const given = more[0] === undefined || modifiers.includes(more[0]) ? undefined : more.shift()!;
  const path = given === undefined ? first.replace(/\?$/, "") : first;
  const nullable = (given ?? first).endsWith("?");
  return { path, nullable, word: (given ?? "string").replace(/\?$/, ""), given: more, inside };
}

/** Extracts `{…}` from anywhere in the text, so that a colon inside does not split the field. */
function takeBraces(text: string): { rest: string; inside: string } {
  const found = /^([^{}]*)\{(.*)\}([^{}]*)$/s.exec(text);
  const isNested = found !== null && /[{}]/.test(found[2]!) && !/^default:/.test(found[2]!);
  if (isNested && found[2]!.includes("}{"))
    throw usage.FW_FIELD_SHAPE(text, `it has one pair of braces: {${found[2]!.replaceAll("}{", ",")}}`);
  if (isNested || (!found && /[{}]/.test(text))) throw usage.FW_FIELD_SHAPE(text, "its braces don't match");
  return found ? { rest: found[1]! + found[3]!, inside: found[2]! } : { rest: text, inside: "" };
}

/** The content of the braces of a field. */
interface Braces {
  size: number[];
  values: string[];
  /** What a slug is built from; empty where it is not given. */
  source: string;
  /** The models of a polymorphic association. */
  targets: string[];
  options: { scope: string[]; everywhere?: true; class?: string; default?: string; on_delete?: string };
}

/** `hasValues`: the content is values, as of an enum. @throws FW_FIELD_SHAPE */
export function readBraces(text: string, inside: string, word: string, hasValues = word === "enum"): Braces {
  const size: number[] = [];
  const values: string[] = [];
  const targets: string[] = [];
  const options: Braces["options"] = { scope: [] };
  let source = "";
  if (word === "json" && inside.startsWith("default:"))
    return { size, values, source, targets, options: { ...options, default: inside.slice("default:".length).trim() } };
  for (const part of inside
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean)) {
    const [key, ...value] = part.split(":");
    if (word === "polymorphic" && /^[A-Z]/.test(part)) targets.push(part);
    else if (hasValues && value.length === 0) values.push(part);
    else if (word === "slug" && source === "" && /^[a-z][a-z0-9_]*$/.test(part)) source = part;
    else if (/^\d+$/.test(part)) size.push(Number(part));
    else if (part === "everywhere") options.everywhere = true;
    else if (!braceOptions.includes(key!) || value.length === 0)
      throw usage.FW_FIELD_SHAPE(
        text,
        `"${part}" is not a size, default:…, class:…, scope:…, everywhere or on_delete:…`,
      );
    else if (key === "scope") options.scope.push(value.join(":").trim());
    else options[key as "class" | "default" | "on_delete"] = value.join(":").trim();
  }
  return { size, values, source, targets, options };
}
