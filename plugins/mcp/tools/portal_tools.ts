import { createHash } from "node:crypto";
import type { Route } from "framewright/host";
import type { OpenApiDocument, Operation, OperationVerb } from "framewright/plugins/openapi";
import type { ResourceRoute } from "framewright/plugins/resources";
import type { McpTool } from "../contract.ts";
import { inputSchema } from "./input_schema.ts";
import type { Parameter } from "./parameters.ts";
import { resolved } from "./resolved.ts";

/** An operation of a portal's document as a tool. */
export interface OperationTool {
  readonly tool: McpTool;
  readonly verb: OperationVerb;
  /** As the document has it, with `.json`: `/admin/posts/{id}.json`. */
  readonly path: string;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  /** The names of its body; undefined without one. */
  readonly body: ReadonlySet<string> | undefined;
  /** All names of arguments. */
  readonly names: ReadonlySet<string>;
  readonly summary: string;
  /** The path that reads the record which it is about; undefined for a new one, a list, and one that nobody may read. */
  readonly recordPath: string | undefined;
  /** The path that reads each of the records that `ids` names. */
  readonly memberPath: string | undefined;
}

/** A list, or the records of one, as resources of MCP. */
export interface RecordsResource {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly route: Route;
}

/** What a document has for agents. */
export interface PortalTools {
  readonly tools: ReadonlyMap<string, OperationTool>;
  readonly lists: readonly RecordsResource[];
  readonly records: readonly RecordsResource[];
}
/** Which route carries out an operation. */
export type RouteOf = (verb: OperationVerb, path: string) => Route | undefined;

export interface ToolsSource {
  readonly document: OpenApiDocument;
  readonly routeOf: RouteOf;
  /** The prefix of the portal's own paths: `/customer/{organization_id}`. */
  readonly prefix: string;
  /** The most records that one call writes. */
  readonly bulk: number;
  /** What a route is about; undefined for one of no resource. */
  readonly aboutOf: (route: Route) => ResourceRoute | undefined;
  /** The names of tools, by verb and path: those of the portal's whole document, so that they are the same for everybody. */
  readonly idOf: (verb: OperationVerb, path: string) => string | undefined;
}

const verbs: readonly OperationVerb[] = ["get", "put", "post", "patch", "delete"];

/** The operations of a document as tools, sorted by name. Files are no answers of tools. */
export function toolsOf(source: ToolsSource): PortalTools {
  const { document } = source;
  const found: OperationTool[] = [];
  for (const path of Object.keys(document.paths))
    for (const verb of verbs) {
      const operation = document.paths[path]![verb];
      const tool = operation && toolOf(source, path, verb, operation);
      if (tool) found.push(tool);
    }
  found.sort((one, other) => (one.tool.name < other.tool.name ? -1 : 1));
  return {
    tools: new Map(found.map((one) => [one.tool.name, one])),
    lists: resourcesOf(found, source.prefix, 0),
    records: resourcesOf(found, source.prefix, 1),
  };
}

function toolOf(
  source: ToolsSource,
  path: string,
  verb: OperationVerb,
  operation: Operation,
): OperationTool | undefined {
  const { document, prefix, routeOf, idOf, bulk } = source;
  const route = routeOf(verb, path);
  if (!route || !isUseful(source, route) || !answersJson(operation) || !takesJson(operation)) return undefined;
  const shared = document.paths[path]!.parameters ?? [];
  const parameters = [...shared, ...(operation.parameters ?? [])]
    .map((one) => resolved(document, one) as unknown as Parameter)
    .filter((one) => one.in !== "header" && !(one.in === "path" && prefix.includes(`{${one.name}}`)));
  const isRead = verb === "get";
  const { schema, body } = inputSchema({ document, parameters, operation, isRead, bulk });
  const name = nameOf(idOf(verb, path) ?? operation.operationId);
  const description = [operation.summary, operation.description]
    .filter(Boolean)
    .map((one) => one!.replace(/\.$/, ""))
    .join(". ");
  const deletes = verb === "delete" || /delete|destroy|purge/i.test(path);
  const tool: McpTool = {
    name,
    title: operation.summary,
    description: isRead ? `${description}.` : `${description}. Answers first with what it would do.`,
    inputSchema: schema,
    annotations:
      isRead && !operation["x-stores"] ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: deletes },
  };
  return {
    ...{ tool, verb, path, route, parameters, body, summary: operation.summary },
    names: new Set(Object.keys(schema.properties as object)),
    params: constantsOf(route, path, prefix),
    recordPath: isRead ? undefined : recordPathOf(source, path, route),
    memberPath: body?.has("ids") ? memberPathOf(document, path, prefix) : undefined,
  };
}

/**
 * Below the record of another resource lists and creation alone: what else is there is at the resource itself, and models choose
 * worse among more tools.
 */
function isUseful({ aboutOf }: ToolsSource, route: Route): boolean {
  const about = aboutOf(route);
  if (!about?.parent) return true;
  return about.registration.singular || about.parent.association.kind === "hasOne" || nested.has(String(route.action));
}
const nested: ReadonlySet<string> = new Set(["index", "create"]);

/** JSON, or nothing: of a file nothing could be read. */
const answersJson = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(([status, response]) => {
    if (!/^2/.test(status)) return false;
    const { content } = response as { content?: object };
    return content === undefined || "application/json" in content;
  });
const takesJson = ({ requestBody }: Operation): boolean =>
  requestBody === undefined || "application/json" in ((requestBody.content ?? {}) as object);

const MAX_NAME = 64;
const DIGEST_CHARS = 8;
/** Models take names of 64 characters; a longer one ends in a digest of the whole. */
function nameOf(id: string): string {
  const plain = id.replaceAll(/[^\w-]/g, "_");
  if (plain.length <= MAX_NAME) return plain;
  const digest = createHash("sha256").update(plain).digest("hex").slice(0, DIGEST_CHARS);
  return `${plain.slice(0, MAX_NAME - DIGEST_CHARS - 1)}_${digest}`;
}

/** What a path has in place of a route's parameters: `publish` for `:action_key`. */
function constantsOf(route: Route, path: string, prefix: string): Record<string, string> {
  const segments = path
    .slice(prefix.length)
    .replace(/\.json$/, "")
    .split("/")
    .slice(1);
  return Object.fromEntries(
    route.segments.flatMap((segment, at) => {
      const found = segments[at];
      return segment.startsWith(":") && found !== undefined && !found.startsWith("{")
        ? [[segment.slice(1), found]]
        : [];
    }),
  );
}

/** The longest part of a path that reads a record: it ends in a parameter, or is that of a resource with one record alone. */
function recordPathOf({ document, prefix, routeOf }: ToolsSource, path: string, { action }: Route): string | undefined {
  const { paths } = document;
  const segments = path.replace(/\.json$/, "").split("/");
  for (let length = segments.length; segments.slice(0, length).join("/").length > prefix.length; length--) {
    const candidate = `${segments.slice(0, length).join("/")}.json`;
    if (!paths[candidate]?.get) continue;
    const isOfOne = action !== "create" && routeOf("get", candidate)?.action === "show";
    if (segments[length - 1]!.startsWith("{") || isOfOne) return candidate;
  }
  return undefined;
}

/** The path of a record of the list that something is done to several records of. */
function memberPathOf({ paths }: OpenApiDocument, path: string, prefix: string): string | undefined {
  const segments = path.replace(/\.json$/, "").split("/");
  for (let length = segments.length - 1; segments.slice(0, length).join("/").length > prefix.length; length--) {
    const candidate = `${segments.slice(0, length).join("/")}/{id}.json`;
    if (paths[candidate]?.get) return candidate;
  }
  return undefined;
}

/** Reading operations of resources with as many parameters below the portal. */
const resourcesOf = (tools: readonly OperationTool[], prefix: string, parameters: number): RecordsResource[] =>
  tools
    .filter(({ verb, path, tool }) => {
      const own = path.slice(prefix.length).match(/\{/g)?.length ?? 0;
      const isRecords = parameters === 0 ? /^list[A-Z]/.test(tool.name) : /\/\{id\}\.json$/.test(path);
      return verb === "get" && own === parameters && isRecords;
    })
    .map(({ tool: { name, title }, path, route }) => ({ name, title, path, route }));
