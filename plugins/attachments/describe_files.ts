import type { TapOnly } from "framewright/kernel";
import type { DescribedOperation, DescribedRoute, OpenApiHooks, Schema } from "framewright/plugins/openapi";
import { fieldsOf } from "./definition_macros.ts";

const text: Schema = { type: "string" };
const openText: Schema = { type: ["string", "null"] };
const whole: Schema = { type: "integer" };
const bytes: Schema = { type: "string", format: "binary" };

const shown: Schema = {
  type: "object",
  required: ["id", "name", "type", "size", "alternative", "state", "url", "thumbnails"],
  properties: {
    id: whole,
    name: text,
    type: text,
    size: { ...whole, description: "In bytes." },
    alternative: { ...openText, description: "What the picture shows, for people who can't see it." },
    state: text,
    url: { ...openText, description: "The address of its bytes; null while nobody may download it." },
    thumbnails: { type: ["object", "null"], required: ["large", "small"], properties: { large: text, small: text } },
  },
};
const kept: Schema = {
  type: "object",
  required: ["id"],
  properties: { id: whole, alternative: openText },
  additionalProperties: true,
};

/** Describes files of records, and their downloads, in documents of OpenAPI. */
export function describeFiles(hooks: TapOnly<OpenApiHooks>): void {
  hooks.schema.tap("attachments", ({ as, direction, parts, attribute }) => {
    if (as !== "attachment" && as !== "attachments") return undefined;
    const isMany = as === "attachments";
    if (direction === "form") return isMany ? { type: "array", items: bytes } : bytes;
    if (direction === "write") {
      const description = isMany ? "The files that stay, in their order." : "Null removes the file.";
      return isMany ? { type: "array", items: kept, description } : { ...kept, type: ["object", "null"], description };
    }
    const one = parts.schema("File", () => shown);
    return isMany ? { type: "array", items: one } : { anyOf: [one, { type: "null" }], title: attribute?.label };
  });
  hooks.operation.tap("attachments", (route) => {
    const action = typeof route.route.action === "string" ? route.route.action : "";
    if (action === "showAttachments") return describe(route, listed);
    if (action === "showAttachment") return describe(route, downloaded);
    if (action === "showThumbnail") return describe(route, thumbnail);
    return undefined;
  });
}

/** The operation of a route for the files that the reader may see; none where there are none. */
function describe(route: DescribedRoute, one: (route: DescribedRoute) => DescribedOperation): DescribedOperation[] {
  const { about, parts } = route;
  const names = about ? namesOf(route) : [];
  return names.length > 0 && parts.may(about!.registration, "show") ? [one(route)] : [];
}
function namesOf({ about, parts }: DescribedRoute): string[] {
  const { registration } = about!;
  const shownNames = (["Show", "Index"] as const).flatMap((list) => parts.names(registration, list));
  return [...fieldsOf(registration.definition).keys()].filter((name) => shownNames.includes(name));
}
const field = (route: DescribedRoute): Schema => ({
  name: "file_field",
  in: "path",
  required: true,
  schema: { type: "string", enum: namesOf(route) },
});
const file = (description: string, type = "*/*"): Schema => ({ description, content: { [type]: { schema: bytes } } });
const unchanged: Schema = { description: "The file is the one that `If-None-Match` names." };

function listed(route: DescribedRoute): DescribedOperation {
  const { parts, noun } = route;
  const files = { type: "array", items: parts.schema("File", () => shown) };
  const answer: Schema = { type: "object", required: ["data"], properties: { data: files } };
  const responses = parts.answers({ 200: parts.json("The files.", answer) }, { record: true });
  const operation = { summary: "List files of a record", parameters: [field(route)], responses };
  return { verb: "get", operation: { operationId: parts.operationId(`list${noun}Files`), ...operation } };
}
function downloaded(route: DescribedRoute): DescribedOperation {
  const { parts, noun } = route;
  const own = {
    200: file("The file."),
    206: file("A part of the file, as `Range` names it."),
    304: unchanged,
    416: { description: "The file has no such part." },
  };
  const operation = {
    summary: "Download a file",
    parameters: [field(route)],
    responses: parts.answers(own, { record: true }),
  };
  return { verb: "get", operation: { operationId: parts.operationId(`download${noun}File`), ...operation } };
}
function thumbnail(route: DescribedRoute): DescribedOperation {
  const { parts, noun } = route;
  const size: Schema = {
    name: "file_size",
    in: "path",
    required: true,
    schema: { type: "string", enum: ["large", "small"] },
  };
  const responses = parts.answers({ 200: file("The thumbnail.", "image/webp"), 304: unchanged }, { record: true });
  const operation = { summary: "Read a thumbnail", parameters: [field(route), size], responses };
  return { verb: "get", operation: { operationId: parts.operationId(`get${noun}Thumbnail`), ...operation } };
}
