import { type BaseController, html, humanize, raw, type SafeHtml } from "framewright/host";
import type { OpenApiDocument, Operation, OperationVerb, PathItem, Schema } from "../contract.ts";
import { fieldRows, typeText } from "./schema_text.ts";

const verbs: readonly OperationVerb[] = ["get", "post", "put", "patch", "delete"];
interface Entry {
  readonly path: string;
  readonly verb: OperationVerb;
  readonly item: PathItem;
  readonly operation: Operation;
}

/** What the page of a document shows: its resources, or the operations of the one that the address names. */
export function pageLocals(controller: BaseController, document: OpenApiDocument): Record<string, unknown> {
  const { request } = controller;
  const given = request.query.get("tag");
  const tag = document.tags.find(({ name }) => name === given);
  const entries = entriesOf(document);
  const url = request.path;
  const title = controller.t("openapi.title");
  const own = tag === undefined ? undefined : String(tag.description ?? tag.name);
  return {
    title: own ?? title,
    intro: document.info.title,
    document_url: `${url}.json`,
    breadcrumbs: own === undefined ? [{ label: title }] : [{ label: title, url }, { label: own }],
    schemes: Object.entries(document.components.securitySchemes ?? {}).map(([name, one]) => ({
      name,
      text: String(one.description ?? ""),
    })),
    tags: tag ? [] : tagRows(document, entries, url),
    operations: tag
      ? entries
          .filter(({ operation }) => operation.tags?.includes(String(tag.name)))
          .map((one) => drawn(controller, document, one))
      : [],
    others: tag
      ? []
      : entries.filter(({ operation }) => !operation.tags?.length).map((one) => drawn(controller, document, one)),
  };
}

const entriesOf = ({ paths }: OpenApiDocument): Entry[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    verbs.flatMap((verb) => (item[verb] ? [{ path, verb, item, operation: item[verb] }] : [])),
  );

function tagRows({ tags }: OpenApiDocument, entries: readonly Entry[], url: string) {
  return tags.map(({ name, description }) => {
    const own = entries.filter(({ operation }) => operation.tags?.includes(String(name)));
    return {
      label: String(description ?? name),
      url: `${url}?${new URLSearchParams({ tag: String(name) })}`,
      count: own.length,
    };
  });
}

/** An operation as the page has it. */
function drawn(controller: BaseController, document: OpenApiDocument, { path, verb, item, operation }: Entry) {
  const t = (key: string) => controller.t(`openapi.${key}`);
  const at = resolver(document);
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(at);
  const body = operation.requestBody?.content as Record<string, { schema: Schema }> | undefined;
  return {
    id: operation.operationId,
    verb: verb.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    parameters:
      parameters.length > 0
        ? table(
            t,
            parameters.map((one) => [
              String(one.name),
              typeText(one.schema as Schema, at),
              `${one.required ? `${t("required")}. ` : ""}${one.description ?? ""}`,
            ]),
          )
        : undefined,
    bodies: Object.entries(body ?? {}).map(([type, { schema }]) => ({
      type,
      content: table(t, fieldRows(schema, at)),
    })),
    answers: Object.entries(operation.responses).map(([status, given]) => {
      const answer = at(given);
      const json = (answer.content as Record<string, { schema: Schema }> | undefined)?.["application/json"]?.schema;
      const rows = json ? fieldRows(json, at) : [];
      return {
        status: status === "default" ? t("other") : status,
        text: String(answer.description ?? ""),
        content: rows.length > 0 ? table(t, rows) : undefined,
      };
    }),
    anchor: raw(""),
    label: humanize(operation.operationId),
  };
}

/** What a reference leads to. */
const resolver =
  ({ components }: OpenApiDocument) =>
  (given: Schema): Schema => {
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(String(given.$ref ?? "")) ?? [];
    return kind === undefined ? given : (components[kind as keyof typeof components]?.[name!] ?? {});
  };

type Row = readonly [name: string, type: string, text: string];
function table(t: (key: string) => string, rows: readonly Row[]): SafeHtml {
  const body = rows.map(
    ([name, type, text]) => html`<tr><td><code>${name}</code></td><td>${type}</td><td>${text}</td></tr>`,
  );
  return html`<div class="fw-table-wrap"><table class="table fw-table"><thead><tr><th scope="col">${t("name")}</th><th scope="col">${t("type")}</th><th scope="col">${t("meaning")}</th></tr></thead><tbody>${body}</tbody></table></div>`;
}
