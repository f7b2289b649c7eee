import type { Registration } from "framewright/plugins/resources";
import type { Operation, Schema } from "../contract.ts";
import type { Parts } from "../parts.ts";
import type { RecordSchemas } from "../schemas/records.ts";

/** What the operations of a record are named after where it is, and its schemas. */
export interface Named {
  readonly noun: string;
  readonly own: string;
}

const etag: Schema = { description: "The version of the record, for `If-Match`.", schema: { type: "string" } };
const prefer = (parts: Parts): Schema =>
  parts.parameter("Prefer", () => ({
    name: "Prefer",
    in: "header",
    description:
      "`handling=strict`: attributes that are unknown or not permitted are 422, and nothing is written. Else `meta.ignored` names them.",
    schema: { type: "string", enum: ["handling=strict", "handling=lenient"] },
  }));
const ifMatch = (parts: Parts): Schema =>
  parts.parameter("If-Match", () => ({
    name: "If-Match",
    in: "header",
    description: "The `ETag` of the record as it was read: 409 where somebody else changed it since.",
    schema: { type: "string" },
  }));

/** "an order", "a post": labels of other languages get the one or the other as well. */
const withArticle = (label: string): string => `${/^[aeiou]/i.test(label) ? "an" : "a"} ${label}`;

export class RecordOperations {
  readonly #parts: Parts;
  readonly #records: RecordSchemas;

  constructor(parts: Parts, records: RecordSchemas) {
    this.#parts = parts;
    this.#records = records;
  }

  #answer(registration: Registration, own: string, isWritten: boolean): Schema {
    const ignored = {
      type: "object",
      properties: {
        ignored: {
          type: "array",
          items: { type: "string" },
          description: "Attributes that were sent and not written.",
        },
      },
    };
    const data = this.#records.of(registration, own, "Show");
    const more = isWritten ? { meta: this.#parts.schema("WriteMeta", () => ignored) } : {};
    return { type: "object", required: ["data"], properties: { data, ...more } };
  }

  show(registration: Registration, { noun, own }: Named): Operation {
    const { slug } = registration.model.class as { slug?: { history?: boolean } };
    const moved: Record<string, Schema> = slug?.history
      ? {
          301: {
            description: "The record has another address now.",
            headers: { Location: { schema: { type: "string" } } },
          },
        }
      : {};
    return {
      operationId: this.#parts.operationId(`get${noun}`),
      summary: `Read ${withArticle(registration.labels.one)}`,
      responses: this.#parts.answers(
        { 200: this.#parts.json("The record.", this.#answer(registration, own, false), { ETag: etag }), ...moved },
        { record: true },
      ),
    };
  }
  create(registration: Registration, { noun, own }: Named): Operation {
    const location = {
      description: "The address of the record, where the account sees it.",
      schema: { type: "string" },
    };
    const headers = { ETag: etag, Location: location };
    return {
      operationId: this.#parts.operationId(`create${noun}`),
      summary: `Create ${withArticle(registration.labels.one)}`,
      parameters: [prefer(this.#parts)],
      requestBody: this.#records.body(registration, own, "Create"),
      responses: this.#parts.answers(
        { 201: this.#parts.json("It was created.", this.#answer(registration, own, true), headers) },
        { body: true, conflict: true },
      ),
    };
  }
  update(registration: Registration, { noun, own }: Named): Operation {
    return {
      operationId: this.#parts.operationId(`update${noun}`),
      summary: `Change ${withArticle(registration.labels.one)}`,
      description: "What is not sent stays as it is.",
      parameters: [ifMatch(this.#parts), prefer(this.#parts)],
      requestBody: this.#records.body(registration, own, "Update"),
      responses: this.#parts.answers(
        { 200: this.#parts.json("It was changed.", this.#answer(registration, own, true), { ETag: etag }) },
        { body: true, record: true, conflict: true },
      ),
    };
  }
  destroy(registration: Registration, { noun }: Named): Operation {
    return {
      operationId: this.#parts.operationId(`delete${noun}`),
      summary: `Delete ${withArticle(registration.labels.one)}`,
      parameters: [ifMatch(this.#parts)],
      responses: this.#parts.answers(
        { 204: { description: "It was deleted." } },
        { record: true, conflict: true, invalid: true },
      ),
    };
  }
}
