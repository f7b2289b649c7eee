import { camelize } from "framewright/host";
import type { TapOnly } from "framewright/kernel";
import type { AssociationInfo } from "framewright/plugins/database";
import type { DocumentParts, OpenApiHooks, Operation, Schema } from "framewright/plugins/openapi";
import type { Registration } from "framewright/plugins/resources";
import type { Registrations } from "framewright/plugins/resources/toolkit";
import type { IncludeLimits } from "./include_tree.ts";

const link: Schema = {
  description: 'The pages `first`, `prev`, `next` and `last`, as far as there are: `<…>; rel="next"` (RFC 8288).',
  schema: { type: "string" },
};
const nested: Schema = {
  type: "object",
  required: ["more", "url"],
  properties: {
    more: { type: "boolean", description: "Whether the nested list has more." },
    url: { type: "string", description: "The address of the nested list." },
  },
};
type List = "Index" | "Show";

/** Describes `include`, what is included, and `Link` in documents of OpenAPI. */
export function describeAnswers(hooks: TapOnly<OpenApiHooks>, registry: Registrations, limits: IncludeLimits): void {
  const described = new Included(registry, limits);
  hooks.described.tap("json_api", (operation, { route, about, parts }) => {
    if (!about || (route.action !== "index" && route.action !== "show")) return operation;
    const list = route.action === "index" ? "Index" : "Show";
    return described.operation(operation, parts, about.registration, list);
  });
  hooks.document.tap("json_api", ({ document: { components }, parts }) => {
    for (const registration of registry.of(parts.portal).values())
      for (const list of ["Index", "Show"] as const) {
        const name = schemaName(registration, list);
        const known = components.schemas[name];
        if (!known || described.names(parts, registration, list).length === 0) continue;
        const included = described.schema(parts, components.schemas, registration);
        components.schemas[name] = { ...known, properties: { ...(known.properties as object), included } };
      }
  });
}

const schemaName = ({ key }: Registration, list: List): string => camelize(key) + (list === "Index" ? "Item" : "");

class Included {
  readonly #registry: Registrations;
  readonly #limits: IncludeLimits;

  constructor(registry: Registrations, limits: IncludeLimits) {
    this.#registry = registry;
    this.#limits = limits;
  }

  /** The associations that the reader of a document may include. */
  names(parts: DocumentParts, registration: Registration, list: List): AssociationInfo[] {
    const shown = parts.names(registration, list);
    const below = this.#registry.nestedOf(registration);
    return [...registration.model.associations.values()].filter((association) => {
      const target = parts.registrationOf(association.target);
      if (!target || !parts.may(target, association.kind === "hasMany" ? "index" : "show")) return false;
      if (association.kind === "belongsTo") return !target.singular && shown.includes(association.name);
      return below.includes(association) && parts.may(registration, "show");
    });
  }

  operation(operation: Operation, parts: DocumentParts, registration: Registration, list: List): Operation {
    const paths = this.names(parts, registration, list).flatMap((one) => [one.name, ...this.#within(parts, one)]);
    const include = {
      name: "include",
      in: "query",
      description: "The associations whose records come along, in `included` of each record.",
      style: "form",
      explode: false,
      schema: { type: "array", items: { type: "string", enum: paths }, maxItems: this.#limits.includes },
    };
    const own = camelize(registration.key);
    const added = paths.length > 0 ? [parts.parameter(`${own}_include_${list.toLowerCase()}`, () => include)] : [];
    const { 200: ok, ...others } = operation.responses;
    const headers = list === "Index" ? { ...(ok?.headers as object), Link: link } : (ok?.headers as Schema | undefined);
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), ...added],
      responses: {
        ...parts.answers({}, { invalid: true }),
        ...others,
        ...(ok ? { 200: { ...ok, ...(headers ? { headers } : {}) } } : {}),
      },
    };
  }

  /** Within an association, those to one record. */
  #within(parts: DocumentParts, { name, kind, target }: AssociationInfo): string[] {
    const registration = parts.registrationOf(target)!;
    const next = this.names(parts, registration, kind === "hasMany" ? "Index" : "Show");
    return next.filter((one) => one.kind !== "hasMany").map((one) => `${name}.${one.name}`);
  }

  schema(parts: DocumentParts, schemas: Readonly<Record<string, Schema>>, registration: Registration): Schema {
    return parts.schema(`${camelize(registration.key)}Included`, () => {
      const lists = ["Index", "Show"] as const;
      const names = new Set(lists.flatMap((list) => this.names(parts, registration, list)));
      const properties = [...names].map((association) => [association.name, this.#of(parts, schemas, association)]);
      return { type: "object", description: "What `include` names.", properties: Object.fromEntries(properties) };
    });
  }
  #of(parts: DocumentParts, schemas: Readonly<Record<string, Schema>>, { kind, target }: AssociationInfo): Schema {
    const isMany = kind === "hasMany";
    const name = schemaName(parts.registrationOf(target)!, isMany ? "Index" : "Show");
    const record: Schema =
      name in schemas ? { $ref: `#/components/schemas/${name}` } : { type: "object", additionalProperties: true };
    if (!isMany) return { anyOf: [record, { type: "null" }] };
    const meta = parts.schema("IncludedMeta", () => nested);
    const list = {
      type: "object",
      required: ["data", "meta"],
      properties: { data: { type: "array", items: record }, meta },
    };
    return { anyOf: [list, { type: "null" }], description: `At most ${this.#limits.rows} of them.` };
  }
}
