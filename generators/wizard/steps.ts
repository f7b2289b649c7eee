import { usage } from "../errors.ts";
import { humanize } from "../support/names.ts";

/** A step as the template writes it. */
export interface Step {
  key: string;
  label: string;
  fields: readonly string[];
}

const isName = (word: string): boolean => /^[a-z][a-z0-9_]*$/.test(word);
const reserved = ["completed", "runs", "review"];

/** Reads `company:name:plan,billing`; a step without fields gets one. @throws FW_FLAG_VALUE, FW_NAME_INVALID */
export function parseSteps(given: string | undefined): Step[] {
  const words = (given ?? "").split(",").filter(Boolean);
  if (words.length === 0) throw usage.FW_FLAG_VALUE("--steps", "--steps=company,billing");
  return words.map((word, index) => {
    const [key = "", ...fields] = word.split(":");
    for (const name of [key, ...fields])
      if (!isName(name))
        throw usage.FW_NAME_INVALID("a step or a field", name, "as in --steps=company:name:city,billing");
    if (reserved.includes(key)) throw usage.FW_NAME_INVALID("a step", key, "every wizard has a page of that name");
    if (words.findIndex((other) => other.split(":")[0] === key) !== index)
      throw usage.FW_NAME_INVALID("a step", key, "there are two of that name");
    const twice = fields.find((field, at) => fields.indexOf(field) !== at);
    if (twice !== undefined) throw usage.FW_NAME_INVALID("a field", twice, `there are two of that name in "${key}"`);
    return { key, label: humanize(key), fields: fields.length > 0 ? fields : ["name"] };
  });
}
