import type { Application, Engine, Route } from "framewright/host";
import { portalBaseController, portalLabel } from "framewright/plugins/portals";
import type { Registration, Resources } from "framewright/plugins/resources";
import type { OpenApiDocument, OpenApiHooks, Operation, PathItem, Schema } from "./contract.ts";
import type { PortalFacts } from "./facts/resource_facts.ts";
import { RouteDescriptions, tagOf } from "./operations/describe.ts";
import { Parts } from "./parts.ts";
import { keySchema, text } from "./schemas/values.ts";
import { securityOf } from "./security.ts";
import { sorted } from "./sorted.ts";

/** What a document is written from, besides what its reader may have. */
export interface DocumentSource {
  readonly application: Application;
  readonly resources: Resources;
  readonly hooks: OpenApiHooks;
  readonly version: string;
}

/** Which route carries out an operation, by verb and path as the document has them: `post /admin/posts.json`. */
export type OperationRoutes = Map<string, Route>;

/**
 * Writes the document of a portal for somebody who may have these facts of it. The same facts give the same document.
 * `carriedBy` gets the routes of its operations.
 */
export function writeDocument(
  source: DocumentSource,
  portal: string,
  { facts, carriedBy }: { facts: PortalFacts; carriedBy: OperationRoutes },
): OpenApiDocument {
  const { application, resources, hooks, version } = source;
  const engine = application.engines.get(portal)!;
  const parts = new Parts(portal, facts, resources.registry, hooks.schema);
  const descriptions = new RouteDescriptions(application, parts, hooks);
  const prefix = mountOf(application, engine);
  const paths: Record<string, PathItem> = {};
  const controller = portalBaseController(application, engine.path);
  const security = securityOf(application.kernel, controller);
  for (const route of application.routeSets.get(portal)?.routes ?? []) {
    const about = resources.registry.routes.get(route);
    const path = templateOf(prefix + route.pattern);
    for (const described of descriptions.of(route, path, about)) {
      const item = paths[described.path!] ?? itemOf(described.path!, engine, about, described.operation);
      paths[described.path!] = item;
      carriedBy.set(`${described.verb} ${described.path!}`, route);
      const needs = described.verb !== "get" && security.writes.length > 0 && !described.operation.security;
      item[described.verb] = needs ? { ...described.operation, security: security.writes } : described.operation;
    }
  }
  const document: OpenApiDocument = {
    openapi: "3.1.0",
    info: {
      title: `${portalLabel(engine)} API`,
      version,
      description: `What programs may do in ${portal}, with the account whose document this is.`,
    },
    servers: [{ url: "/" }],
    security: security.reads,
    tags: tagsOf(resources.registry.of(portal).values(), paths),
    paths,
    components: { ...parts.components, securitySchemes: { ...security.schemes } },
  };
  const { authentication } = (controller ?? {}) as { authentication?: never };
  hooks.document.call({ document, engine, authentication, parts });
  return sorted(document);
}

/** A pattern as a path of the document, whose parameters have names of their own: of two alike the second ends in `_2`. */
function templateOf(pattern: string): string {
  const counts = new Map<string, number>();
  return pattern.replace(/(.)\/$/, "$1").replaceAll(/:(\w+)/g, (_, name: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? `{${name}}` : `{${name}_${count}}`;
  });
}

/** The path of a portal, with what its tenants have in it. */
function mountOf({ mounts }: Application, engine: Engine): string {
  const at = mounts.find((mount) => mount.engine === engine)?.at ?? "";
  return at + engine.prefixParameters.map((name) => `/:${name}`).join("");
}

type About = ReturnType<Resources["registry"]["routes"]["get"]>;

/** A path with its parameters, but for those that its operation describes. */
function itemOf(path: string, engine: Engine, about: About, { parameters = [] }: Operation): PathItem {
  const own = new Set(parameters.filter((one) => one.in === "path").map((one) => one.name));
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => !own.has(name));
  if (names.length === 0) return {};
  return {
    parameters: names.map((name) => ({ name, in: "path", required: true, ...aboutParameter(name, engine, about) })),
  };
}

function aboutParameter(name: string, engine: Engine, about: About): Schema {
  if (engine.prefixParameters.includes(name)) return { description: "The tenant.", schema: text };
  if (name === "id" && about) return { schema: addressOf(about.registration) };
  const { parent } = about ?? {};
  if (parent && parent.registration.parentParameter === name.replace(/_\d+$/, ""))
    return { schema: addressOf(parent.registration) };
  return { schema: text };
}

/** What names a record in its address. */
const addressOf = ({ model, paramKey }: Registration): Schema =>
  paramKey === model.primaryKey ? keySchema(model) : text;

/** The tags that operations have, in the order of their resources. */
function tagsOf(registrations: Iterable<Registration>, paths: Readonly<Record<string, PathItem>>): Schema[] {
  const used = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((one) => (Array.isArray(one) ? [] : ((one as Operation).tags ?? []))),
    ),
  );
  return [...registrations]
    .map((registration) => ({ name: tagOf(registration), description: registration.labels.many }))
    .filter(({ name }) => used.has(name));
}
