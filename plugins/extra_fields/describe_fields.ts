import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks, Schema } from "framewright/plugins/openapi";
import { type CompositeType, compositeTypes } from "./composite.ts";

const text: Schema = { type: "string" };
const code = (letters: number, shape: string): Schema => ({ type: "string", pattern: `^${shape}{${letters}}$` });

/** Values of several parts, each a text or null. */
const ofParts = ({ parts }: CompositeType): Schema => ({
  type: "object",
  properties: Object.fromEntries(parts.map(({ key }) => [key, { type: ["string", "null"] }])),
});

const described: Readonly<Record<string, (options: Readonly<Record<string, unknown>>) => Schema>> = {
  tags: () => ({ type: "array", items: text, maxItems: 50 }),
  checkboxes: ({ choices }) => ({
    type: "array",
    items:
      Array.isArray(choices) && choices.every((one) => typeof one === "string") ? { ...text, enum: choices } : text,
  }),
  country: () => code(2, "[A-Z]"),
  language: () => code(2, "[a-z]"),
  currency: () => code(3, "[A-Z]"),
  phone: () => ({ type: "string", pattern: "^\\+\\d{4,15}$", examples: ["+493012345678"] }),
  rating: () => ({ type: "integer", minimum: 1, maximum: 5 }),
  ...Object.fromEntries(Object.entries(compositeTypes).map(([name, type]) => [name, () => ofParts(type)] as const)),
};
/** What answers have of their own column is described by that; of these by the type. */
const inAnswers = new Set(["tags", "checkboxes", ...Object.keys(compositeTypes)]);

/** Describes the fields of this plugin in documents of OpenAPI. */
export function describeFields(hook: TapOnly<OpenApiHooks>["schema"]): void {
  hook.tap("extra_fields", ({ as, direction, options }) => {
    const schema = Object.hasOwn(described, as) ? described[as]!(options) : undefined;
    return schema && (direction !== "read" || inAnswers.has(as)) ? schema : undefined;
  });
}
