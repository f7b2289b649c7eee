import { usage } from "framewright/generators";
import type { Field } from "./field.ts";

/** The default as code, or undefined. @throws FW_FIELD_SHAPE */
export function literal(text: string, { type, input, values }: Field, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const wrong = (expected: string) => usage.FW_FIELD_SHAPE(text, `the default of ${input ?? type} must be ${expected}`);
  if (input === "file") throw usage.FW_FIELD_SHAPE(text, "file takes no default");
  if (values && !values.includes(value)) throw wrong(`one of ${values.join(", ")}`);
  switch (type) {
    case "boolean":
      if (value !== "true" && value !== "false") throw wrong("true or false");
      return value;
    case "integer":
    case "bigint":
    case "money":
      if (!/^-?\d+$/.test(value)) throw wrong("a whole number");
      return Number.isSafeInteger(Number(value)) ? String(BigInt(value)) : JSON.stringify(String(BigInt(value)));
    case "float":
      if (value === "" || !Number.isFinite(Number(value))) throw wrong("a number");
      return String(Number(value));
    case "decimal":
      if (!/^-?\d+(\.\d+)?$/.test(value)) throw wrong("a number");
      return JSON.stringify(value);
    case "json":
      return jsonLiteral(value) ?? raise(wrong("valid JSON, as {} or []"));
    case "string":
    case "uuid":
    case "date":
    case "datetime":
    case "time":
      return JSON.stringify(value);
    default:
      throw usage.FW_FIELD_SHAPE(text, `${type} takes no default`);
  }
}

function raise(error: Error): never {
  throw error;
}

function jsonLiteral(value: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return undefined;
  }
}
