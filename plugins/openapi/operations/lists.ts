import type { Registration } from "framewright/plugins/resources";
import type { Operation, Schema } from "../contract.ts";
import type { Parts } from "../parts.ts";
import type { RecordSchemas } from "../schemas/records.ts";
import { filterParameters } from "./filters.ts";

const MAX_ROWS = 100;

const query = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: "query",
  description,
  schema,
});
/** A list in one parameter, with commas. */
const commas = (items: readonly string[]): Schema => ({ type: "array", items: { type: "string", enum: items } });

/** The parameters of a list: what the reader may search, filter, order and choose. */
function listParameters(parts: Parts, registration: Registration, noun: string): Schema[] {
  const { filters, scopes, sorts, isSearched, lists } = parts.facts(registration);
  const { definition } = registration;
  const own = (name: string, build: () => Schema): Schema => parts.parameter(`${noun}_${name}`, build);
  const separate = { style: "form", explode: false };
  const names = lists.Index.names.filter((name) => name !== "id");
  const found: Schema[] = [
    parts.parameter("page", () =>
      query(
        "page",
        { type: "integer", minimum: 1, default: 1 },
        "The number of the page. Long lists go on by `next` of `meta` in its place.",
      ),
    ),
    own("per_page", () =>
      query(
        "per_page",
        { type: "integer", minimum: 1, maximum: MAX_ROWS, default: definition.perPage },
        "How many records a page has.",
      ),
    ),
    parts.parameter("after", () =>
      query(
        "after",
        { type: "string" },
        "A cursor: the records after the last one of a page. It is in `next` of `meta`; empty for the first page.",
      ),
    ),
  ];
  if (isSearched && parts.may(registration, "search"))
    found.push(parts.parameter("q", () => query("q", { type: "string" }, "Searches the list.")));
  if (sorts.length > 0 || !registration.model.key.isMissing) {
    const orders = [...new Set(["id", ...sorts])].flatMap((name) => [name, `-${name}`]);
    found.push(
      own("sort", () => ({
        ...query("sort", commas(orders), "By what the list is ordered; a minus for descending."),
        ...separate,
      })),
    );
  }
  if (scopes.length > 0)
    found.push(
      own("scope", () => query("scope", { type: "string", enum: ["all", ...scopes] }, "A named part of the list.")),
    );
  if (names.length > 0)
    found.push(
      own("columns", () => ({
        ...query("columns", commas(names), "The names that records have in the answer, besides their id."),
        ...separate,
      })),
    );
  if (filters.length > 0)
    found.push(
      parts.parameter("match", () =>
        query(
          "match",
          { type: "string", enum: ["all", "any", "none"], default: "all" },
          "Whether records meet all filters, any, or none.",
        ),
      ),
    );
  for (const name of filters) found.push(...filterParameters(parts, registration, noun, name));
  return found;
}

const meta: Schema = {
  type: "object",
  required: ["total", "page", "per_page"],
  properties: {
    total: { type: "integer", description: "How many there are, counted up to 10,000." },
    capped: { type: "boolean", description: "There are more than were counted." },
    page: { type: "integer" },
    per_page: { type: "integer" },
    next: {
      type: "string",
      description: "The address of the records after these, of a list whose pages have no numbers any more.",
    },
  },
};

/** `GET` of a list. `noun` names its records where it is, `schemas` the schemas of its resource. */
export function listOperation(
  parts: Parts,
  records: RecordSchemas,
  registration: Registration,
  { noun, many, own }: { noun: string; many: string; own: string },
): Operation {
  const items = records.of(registration, own, "Index");
  const answer = {
    type: "object",
    required: ["data", "meta"],
    properties: { data: { type: "array", items }, meta: parts.schema("ListMeta", () => meta) },
  };
  return {
    operationId: parts.operationId(`list${many}`),
    summary: `List ${registration.labels.many}`,
    parameters: listParameters(parts, registration, own),
    responses: parts.answers({ 200: parts.json(`A page of the list (${noun}).`, answer) }, { invalid: true }),
  };
}
