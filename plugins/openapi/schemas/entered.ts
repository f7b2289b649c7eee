import { choiceOf } from "framewright/plugins/fields";
import type { Schema } from "../contract.ts";
import { anything, day, decimalText, instant, text, timeOfDay, wholeText } from "./values.ts";

type Options = Readonly<Record<string, unknown>>;

/** The choices of a field, where they are known without a request. */
export const listedChoices = (choices: unknown): string[] | undefined =>
  Array.isArray(choices) && choices.length > 0
    ? choices.map((choice) => choiceOf(choice as Parameters<typeof choiceOf>[0]).value)
    : undefined;

const chosen = ({ choices }: Options): Schema => {
  const values = listedChoices(choices);
  return values ? { type: "string", enum: values } : text;
};

/** What is sent for a field of one of the framework's own types. */
const entered: Readonly<Record<string, (options: Options) => Schema>> = {
  integer: () => ({ type: "integer" }),
  bigint: () => wholeText,
  float: () => ({ type: "number" }),
  decimal: ({ scale }) => decimalText(scale as number | undefined),
  money: ({ digits }) => decimalText((digits as number | undefined) ?? 2),
  boolean: () => ({ type: "boolean" }),
  date: () => day,
  datetime: () => instant,
  time: () => timeOfDay,
  json: () => anything,
  binary: () => anything,
  email: () => ({ type: "string", format: "email" }),
  url: () => ({ type: "string", format: "uri" }),
  uuid: () => ({ type: "string", format: "uuid" }),
  color: () => ({ type: "string", pattern: "^#[0-9a-fA-F]{6}$" }),
  select: chosen,
  enum: chosen,
  radio: chosen,
};

/** What a JSON body has for a field; undefined for a type that is not one of the framework's own. */
export const enteredSchema = (as: string, options: Options): Schema | undefined => entered[as]?.(options);
/** The same for a type that nothing describes: by the column that it is stored in. */
export const enteredByColumn = (type: string): Schema => entered[type]?.({}) ?? text;
