import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks, Operation, Schema } from "framewright/plugins/openapi";

const text: Schema = { type: "string" };
const nothing: Schema = { type: "object", required: ["data"], properties: { data: { type: "null" } } };

/** Describes saved views of lists in documents of OpenAPI. */
export function describeViews(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("saved_views", ({ route, about, noun, parts }) => {
    const { action } = route;
    if (!about || typeof action !== "string" || !["createView", "deleteView", "setDefaultView"].includes(action))
      return undefined;
    if (!parts.isSignedIn || !parts.may(about.registration, "index")) return [];
    const body = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
      content: {
        "application/json": { schema: { type: "object", ...(required.length > 0 ? { required } : {}), properties } },
      },
    });
    const post = (id: string, summary: string, more: Omit<Operation, "operationId" | "summary">) => {
      return [{ verb: "post" as const, operation: { operationId: parts.operationId(id), summary, ...more } }];
    };
    if (action === "createView") {
      const properties = { name: text, query: text, shared: { type: "boolean" } };
      const data = { type: "object", required: ["name", "query", "shared"], properties };
      const saved = parts.json("It was saved.", { type: "object", required: ["data"], properties: { data } });
      return post(`save${noun}View`, "Save the list of the address as a view", {
        description: "The address has the parameters of the list, as `GET` takes them.",
        requestBody: body(
          { name: { ...text, minLength: 1, maxLength: 100 }, shared: { type: "string", enum: ["0", "1"] } },
          ["name"],
        ),
        responses: parts.answers({ 201: saved }, { body: true, record: true }),
      });
    }
    if (action === "deleteView")
      return post(`delete${noun}View`, "Delete a saved view", {
        responses: parts.answers({ 200: parts.json("It was deleted.", nothing) }, { record: true, invalid: true }),
      });
    return post(`set${noun}DefaultView`, "Open the list with a saved view from now on", {
      requestBody: body({ me: { type: "boolean" }, roles: { type: "array", items: text } }),
      responses: parts.answers({ 200: parts.json("It was stored.", nothing) }, { body: true, record: true }),
    });
  });
}
