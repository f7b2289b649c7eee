import { isReference, type Linkable, listed, propertyName, rulesOf, staticLine } from "./code.ts";

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
  /** How addresses name records, as source code of the statics. */
  address: readonly Entry[];
  /** The types of the files of a record, by which policies may name them. */
  files: readonly Entry[];
}
/** The lists of entries among the parts, in the order in which a model has them. */
export const entryLists = ["associations", "money", "enums", "validations"] as const;

/** The associations, amounts of money, enums and validations of fields. */
export function modelParts(fields: readonly Linkable[]): ModelParts {
  const links = fields.filter(isReference);
  const amounts = fields.filter(({ type }) => type === "money");
  return {
    associations: links.map((field) => ({ name: field.name, code: associationOf(field) })),
    money: amounts.map(({ name, column }) => ({ name, code: JSON.stringify(column) })),
    enums: fields.flatMap(({ name, values }) => (values ? [{ name, code: listed(values, "    ") }] : [])),
    validations: fields.flatMap((field) => {
      const code = rulesOf(field);
      return code === undefined ? [] : [{ name: field.name, code }];
    }),
    files: fields.flatMap(({ name, attached }) =>
      attached ? [{ name, code: attached === "files" ? "Files" : "OneFile" }] : [],
    ),
    address: fields.flatMap((field) => (field.slug === undefined ? [] : addressOf(field, field.slug))),
  };
}

function addressOf({ column, scope }: Linkable, from: string): Entry[] {
  const within = scope.length === 1 ? JSON.stringify(scope[0]) : listed(scope);
  const options = [`from: ${JSON.stringify(from)}`, ...(scope.length > 0 ? [`scope: ${within}`] : [])];
  return [
    { name: "paramKey", code: JSON.stringify(column) },
    { name: "slug", code: `{ ${options.join(", ")} }` },
  ];
}

/** The lines of a class by which policies may name the files of its records. */
export const fileLines = ({ files }: ModelParts): string[] =>
  files.map(({ name, code }) => `  declare ${propertyName(name)}: ${code};`);

/** The statics that fields add to a model, as lines of its class. */
export const staticLines = (parts: ModelParts): string[] => [
  ...parts.address.map(({ name, code }) => `  static override ${name} = ${code};`),
  ...entryLists
    .filter((list) => parts[list].length > 0)
    .map((list) =>
      staticLine(
        list,
        parts[list].map(({ name, code }) => `${propertyName(name)}: ${code}`),
      ),
    ),
];

function associationOf({ class: target, classes, foreignKey, nullable, requiredByModel }: Linkable): string {
  const options = [
    ...(classes ? [`polymorphic: ${listed(classes)}`] : []),
    ...(target ? [`class: "${target}"`] : []),
    ...(foreignKey ? [`foreignKey: ${JSON.stringify(foreignKey)}`] : []),
    ...(nullable ? ["optional: true"] : requiredByModel ? ["optional: false"] : []),
  ];
  return `belongsTo(${options.length > 0 ? `{ ${options.join(", ")} }` : ""})`;
}
