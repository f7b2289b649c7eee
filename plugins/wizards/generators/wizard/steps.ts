import { usage } from "framewright/generators";
import { humanize } from "framewright/host/inflection";

/** A step, for the template. */
export interface Step {
  key: string;
  label: string;
  fields: readonly string[];
}

const isName = (word: string): boolean => /^[a-z][a-z0-9_]*$/.test(word);
const reserved = ["completed", "runs", "review"];

/** Parses `company:name:plan,billing`; a step without fields gets the field `name`. @throws FW_FLAG_VALUE, FW_NAME_INVALID */
export function parseSteps(given: string | undefined): Step[] {
  const words = (given ?? "").split(",").filter(Boolean);
  if (words.length === 0) throw usage.FW_FLAG_VALUE("--steps", "--steps=company,billing");
  return words.map((word, index) => {
    const [key = "", ...fields] = word.split(":");
    for (const name of [key, ...fields])
      if (!isName(name))
        throw usage.FW_NAME_INVALID("a step or a field", name, "as in --steps=company:name:city,billing");
    if (reserved.includes(key)) throw usage.FW_NAME_INVALID("a step", key, "every wizard has a page with that name");
    if (words.findIndex((other) => other.split(":")[0] === key) !== index)
      throw usage.FW_NAME_INVALID("a step", key, "two steps have that name");
    const twice = fields.find((field, at) => fields.indexOf(field) !== at);
    if (twice !== undefined) throw usage.FW_NAME_INVALID("a field", twice, `two fields of "${key}" have that name`);
    return { key, label: humanize(key), fields: fields.length > 0 ? fields : ["name"] };
  });
}
