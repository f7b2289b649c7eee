import { type Linkable, listed, rulesOf } from "./code.ts";

/** An entry of an object in a model, as source code. */
export interface Entry {
  name: string;
  /** As in `belongsTo({ class: "User" })`. */
  code: string;
}
/** What fields add to the statics of a model. */
export interface ModelParts {
  associations: readonly Entry[];
  money: readonly Entry[];
  enums: readonly Entry[];
  validations: readonly Entry[];
}

/** The associations, amounts of money, enums and validations of fields. */
export function modelParts(fields: readonly Linkable[]): ModelParts {
  const links = fields.filter(({ type }) => type === "belongs_to");
  const amounts = fields.filter(({ type }) => type === "money");
  return {
    associations: links.map((field) => ({ name: field.name, code: associationOf(field) })),
    money: amounts.map(({ name, column }) => ({ name, code: JSON.stringify(column) })),
    enums: fields.flatMap(({ name, values }) => (values ? [{ name, code: listed(values, "  ") }] : [])),
    validations: fields.flatMap((field) => {
      const code = rulesOf(field);
      return code === undefined ? [] : [{ name: field.name, code }];
    }),
  };
}

function associationOf({ class: target, nullable, requiredByModel }: Linkable): string {
  const options = [
    ...(target ? [`class: "${target}"`] : []),
    ...(nullable ? ["optional: true"] : requiredByModel ? ["optional: false"] : []),
  ];
  return `belongsTo(${options.length > 0 ? `{ ${options.join(", ")} }` : ""})`;
}
