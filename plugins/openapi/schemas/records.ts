import type { Registration } from "framewright/plugins/resources";
import type { DocumentParts, ListName, Schema } from "../contract.ts";
import type { ResourceFacts } from "../facts/resource_facts.ts";
import { isNeeded } from "./fields.ts";

const endings: Readonly<Record<ListName, string>> = { Show: "", Index: "Item", Create: "Create", Update: "Update" };

/** The schemas of a resource's records: as they are shown, listed, created and changed. */
export class RecordSchemas {
  readonly #parts: DocumentParts;
  readonly #facts: (registration: Registration) => ResourceFacts;

  constructor(parts: DocumentParts, facts: (registration: Registration) => ResourceFacts) {
    this.#parts = parts;
    this.#facts = facts;
  }

  /** A reference to what answers or bodies have of a record. */
  of(registration: Registration, noun: string, list: ListName): Schema {
    const isRead = list === "Show" || list === "Index";
    return this.#parts.schema(noun + endings[list], () =>
      isRead ? this.#read(registration, list) : this.#written(registration, list),
    );
  }

  #read(registration: Registration, list: ListName): Schema {
    const { names, varies } = this.#facts(registration).lists[list];
    const shown = names.filter((name) => name !== "id");
    const own = shown.map((name) => [name, this.#parts.attribute(registration, name, "read") ?? {}] as const);
    const isComplete = list === "Show" && !varies;
    return {
      type: "object",
      required: registration.model.key.isMissing ? [] : ["id", ...(isComplete ? shown : [])],
      properties: { id: this.#parts.key(registration.model), ...Object.fromEntries(own) },
      ...(varies ? { additionalProperties: true, description: "Which of them there are depends on the record." } : {}),
    };
  }

  #written(registration: Registration, list: ListName): Schema {
    const { names, varies } = this.#facts(registration).lists[list];
    const own = names.flatMap((name) => {
      const schema = this.#parts.attribute(registration, name, "write");
      return schema ? [[name, schema] as const] : [];
    });
    const needed = own.map(([name]) => name).filter((name) => isNeeded(registration, registration.attribute(name)));
    const isNew = list === "Create" && !varies && needed.length > 0;
    return { type: "object", ...(isNew ? { required: needed } : {}), properties: Object.fromEntries(own) };
  }

  /** What a body has, as JSON, and as a form where files may be sent. */
  body(registration: Registration, noun: string, list: ListName): Schema {
    const { key } = registration;
    const json = { type: "object", required: [key], properties: { [key]: this.of(registration, noun, list) } };
    const form = this.#form(registration, list);
    return {
      required: true,
      content: {
        "application/json": { schema: json },
        ...(form ? { "multipart/form-data": { schema: form } } : {}),
      },
    };
  }

  /** The fields of a form, by their names; undefined where none of them is a file. */
  #form(registration: Registration, list: ListName): Schema | undefined {
    const { names } = this.#facts(registration).lists[list];
    const fields = names.flatMap((name) => {
      const schema = this.#parts.attribute(registration, name, "form");
      return schema ? [[name, schema] as const] : [];
    });
    if (!fields.some(([, schema]) => isFile(schema))) return undefined;
    const properties = fields.flatMap(([name, schema]) => formField(`${registration.key}[${name}]`, schema));
    return { type: "object", properties: Object.fromEntries(properties) };
  }
}

const isFile = (schema: Schema): boolean =>
  schema.format === "binary" || (schema.type === "array" && (schema.items as Schema).format === "binary");

/** Texts of one value, and lists of such; what has parts of its own is sent as JSON. */
function formField(name: string, schema: Schema): [string, Schema][] {
  if (
    schema.type === "array" &&
    typeof (schema.items as Schema).type === "string" &&
    (schema.items as Schema).type !== "object"
  )
    return [[`${name}[]`, schema]];
  return typeof schema.type === "string" && !["object", "array", "null"].includes(schema.type) ? [[name, schema]] : [];
}
