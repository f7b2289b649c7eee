import { camelize } from "framewright/host";
import type { Registration, ResourceAction, Resources } from "framewright/plugins/resources";
import type {
  AnswerKinds,
  DescribedField,
  DocumentParts,
  FieldPlace,
  ListName,
  OpenApiHooks,
  Schema,
} from "./contract.ts";
import type { PortalFacts, ResourceFacts } from "./facts/resource_facts.ts";
import { interactionBody } from "./operations/action_body.ts";
import { errorAnswers, errorResponses, problemSchema } from "./operations/errors.ts";
import { FieldSchemas } from "./schemas/fields.ts";
import { RecordSchemas } from "./schemas/records.ts";
import { keySchema } from "./schemas/values.ts";

type Kind = "schemas" | "parameters" | "responses";

/** What the parts of one document share. */
export class Parts implements DocumentParts {
  readonly portal: string;
  readonly isSignedIn: boolean;
  readonly components: Record<Kind, Record<string, Schema>> = { schemas: {}, parameters: {}, responses: {} };
  readonly #facts: PortalFacts["resources"];
  readonly #registry: Resources["registry"];
  readonly #fields: FieldSchemas;
  readonly #ids = new Set<string>();

  constructor(portal: string, facts: PortalFacts, registry: Resources["registry"], hook: OpenApiHooks["schema"]) {
    this.portal = portal;
    this.isSignedIn = facts.isSignedIn;
    this.#facts = facts.resources;
    this.#registry = registry;
    this.#fields = new FieldSchemas(hook, this);
    const problem = this.schema("Problem", () => problemSchema);
    this.components.responses = errorResponses(problem);
  }

  facts({ constant }: Registration): ResourceFacts {
    return this.#facts[constant]!;
  }
  schema(name: string, build: () => Schema): Schema {
    return this.#component("schemas", name, build);
  }
  parameter(name: string, build: () => Schema): Schema {
    return this.#component("parameters", name, build);
  }
  #component(kind: Kind, name: string, build: () => Schema): Schema {
    const known = this.components[kind];
    if (!Object.hasOwn(known, name)) {
      known[name] = {}; // a schema may refer to itself
      known[name] = build();
    }
    return { $ref: `#/components/${kind}/${name}` };
  }

  answers(own: Readonly<Record<string, Schema>>, kinds: AnswerKinds = {}): Record<string, Schema> {
    return { ...own, ...errorAnswers(kinds) };
  }
  json(description: string, schema: Schema, headers?: Schema): Schema {
    return { description, ...(headers ? { headers } : {}), content: { "application/json": { schema } } };
  }
  operationId(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.#ids.has(id); count++) id = `${wanted}${count}`;
    this.#ids.add(id);
    return id;
  }

  names(registration: Registration, list: ListName): readonly string[] {
    return this.#facts[registration.constant]?.lists[list].names ?? [];
  }
  may(registration: Registration, action: string): boolean {
    return this.#facts[registration.constant]?.actions.includes(action) ?? false;
  }
  registrationOf(model: Registration["model"]): Registration | undefined {
    return this.#registry.nearest(this.portal, model);
  }
  attribute(registration: Registration, name: string, direction: DescribedField["direction"]): Schema | undefined {
    return this.#fields.attribute(registration, name, direction);
  }
  field(name: string, declared: Readonly<Record<string, unknown>> & { readonly as: string }, at: FieldPlace): Schema {
    return this.#fields.field(name, declared, at);
  }
  actionBody(registration: Registration, action: ResourceAction, more?: Readonly<Record<string, Schema>>) {
    return interactionBody(this, registration, action, more);
  }
  record(registration: Registration, list: "Index" | "Show"): Schema {
    return new RecordSchemas(this, (one) => this.facts(one)).of(registration, camelize(registration.key), list);
  }
  key(model: Registration["model"]): Schema {
    return keySchema(model);
  }
}
