import { clientText } from "../../../plugins/openapi/commands/typed_client/index.ts";
import { malformed } from "../../../plugins/openapi/commands/typed_client/malformed.ts";
import type { OpenApiDocument } from "../../../plugins/openapi/index.ts";
import { assert, describe } from "../../support/index.ts";

const json = (schema: object) => ({ description: "", content: { "application/json": { schema } } });
const place = () => ({ $ref: "#/components/schemas/Place" });

/** A document that has each part that a client is written from. */
const whole = () => ({
  openapi: "3.1.0",
  info: { title: "Places", version: "1" },
  paths: {
    "/places/{id}": {
      parameters: [{ in: "path", name: "id", required: true, schema: { type: "string" } }],
      get: {
        operationId: "getPlace",
        tags: ["places"],
        parameters: [
          { $ref: "#/components/parameters/Page" },
          { in: "query", name: "q", schema: { type: ["string", "null"] } },
        ],
        responses: { 200: json({ type: "object", properties: { data: place() } }) },
      },
      patch: {
        operationId: "updatePlace",
        requestBody: { required: true, ...json({ oneOf: [place(), { type: "object", additionalProperties: true }] }) },
        responses: { 200: json(place()), 404: { $ref: "#/components/responses/Missing" } },
      },
    },
    "/places": {
      get: {
        operationId: "listPlaces",
        parameters: [{ in: "query", name: "after", schema: { type: "string" } }],
        responses: {
          200: json({
            type: "object",
            properties: { data: { type: "array", items: place() }, meta: { type: "object" } },
          }),
        },
      },
    },
  },
  components: {
    schemas: {
      Place: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string", enum: ["a", null] }, all: { allOf: [{ type: "object" }] }, any: true },
      },
    },
    parameters: { Page: { in: "query", name: "page", schema: { type: "integer" } } },
    responses: { Missing: json({ type: "object" }) },
    securitySchemes: {},
  },
  servers: [],
  security: [],
  tags: [],
});

/** The paths of all that a value holds. */
function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, one]) => placesOf(one, [...at, key]))];
}
function replaced(at: readonly string[], junk: unknown): OpenApiDocument {
  const document = whole() as unknown as Record<string, unknown>;
  let holder = document;
  for (const key of at.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  holder[at.at(-1)!] = junk;
  return document as unknown as OpenApiDocument;
}
const write = (document: OpenApiDocument) => clientText(document, { name: "places", command: "fw client" });

describe("A document that is no OpenAPI", (it) => {
  it("What has another shape than OpenAPI allows is reported by its place, and nothing else fails", () => {
    assert.is(malformed(whole() as unknown as OpenApiDocument), undefined);
    assert.match(write(whole() as unknown as OpenApiDocument), "class PlacesClient");
    const places = placesOf(whole()).filter(([first]) => first === "paths" || first === "components");
    assert.ok(places.length > 80, String(places.length));
    for (const at of places.filter(({ length }) => length > 1))
      for (const junk of [null, 5, "x", [], [5], { x: 5 }, { x: null }, true]) {
        const document = replaced(at, junk);
        const found = malformed(document);
        if (found === undefined) write(document);
        else assert.ok(found.startsWith(`#/${at[0]}`), found);
      }
  });
  it("The place is a JSON pointer", () => {
    const document = replaced(["paths", "/places/{id}", "get", "responses", "200"], 5);
    assert.is(malformed(document), "#/paths/~1places~1{id}/get/responses/200");
  });
});
