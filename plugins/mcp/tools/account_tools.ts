import { type Application, type BaseController, BoundedCache, type Engine, type Route } from "framewright/host";
import type { OpenApi, OpenApiDocument, OperationVerb } from "framewright/plugins/openapi";
import type { McpHooks, McpOffer } from "../contract.ts";
import { type OperationTool, type PortalTools, type RecordsResource, toolsOf } from "./portal_tools.ts";

/** How many documents' tools are cached, of all accounts together: accounts with the same rights share them. */
const MAX_DOCUMENTS = 100;

/** What an account may do in a portal, as tools. */
export class AccountTools {
  readonly #application: Application;
  readonly #openapi: OpenApi;
  readonly #hooks: McpHooks;
  readonly #bulk: number;
  readonly #known = new BoundedCache<PortalTools>(MAX_DOCUMENTS);
  readonly #names = new Map<string, Promise<Map<string, string>>>();

  /** `bulk`: the most records that one call writes. */
  constructor(application: Application, openapi: OpenApi, hooks: McpHooks, bulk: number) {
    this.#bulk = bulk;
    this.#application = application;
    this.#openapi = openapi;
    this.#hooks = hooks;
  }

  /** The tools of a request. */
  async listed(controller: BaseController): Promise<OperationTool[]> {
    const { tools } = await this.#of(controller);
    return [...tools.values()].filter((one) => this.#offers(controller, one));
  }
  async find(controller: BaseController, name: string): Promise<OperationTool | undefined> {
    const tool = (await this.#of(controller)).tools.get(name);
    return tool && this.#offers(controller, tool) ? tool : undefined;
  }
  /** Lists and records that the request may read. */
  async resources(controller: BaseController): Promise<Record<"lists" | "records", RecordsResource[]>> {
    const { tools, lists, records } = await this.#of(controller);
    const isOffered = ({ name }: RecordsResource) => this.#offers(controller, tools.get(name)!);
    return { lists: lists.filter(isOffered), records: records.filter(isOffered) };
  }

  /** All that the account's document has. */
  async #of(controller: BaseController): Promise<PortalTools> {
    const engine = controller.request.engine!;
    const names = await this.#namesIn(engine.name);
    const { text, etag } = this.#openapi.ofAccount(controller, engine.name);
    return this.#known.getOrMake(`${engine.name} ${etag}`, () =>
      toolsOf({
        document: JSON.parse(text) as OpenApiDocument,
        bulk: this.#bulk,
        prefix: this.prefixOf(engine),
        routeOf: (verb, path) => this.#openapi.routeOf(engine.name, verb, path),
        aboutOf: (route) => this.#application.kernel.service("resources").registry.routes.get(route),
        idOf: (verb, path) => names.get(`${verb} ${path}`),
      }),
    );
  }

  /** Whether the request may reach what a tool does, whatever its arguments are. */
  #offers(controller: BaseController, { tool, verb, route, params }: OperationTool): boolean {
    const { offered } = this.#hooks;
    if (offered.taps.length === 0) return true;
    const offer: McpOffer = { tool, verb, route, params, controller };
    return offered.call(offer) !== false;
  }

  routeOf(controller: BaseController, path: string): Route | undefined {
    return this.#openapi.routeOf(controller.request.engine!.name, "get", path);
  }

  /** The prefix of a portal's own paths in documents, with the parameters of its tenant. */
  prefixOf(engine: Engine): string {
    const at = this.#application.mounts.find((mount) => mount.engine === engine)?.at ?? "";
    return at + engine.prefixParameters.map((name) => `/{${name}}`).join("");
  }

  /** The ids of the operations of the whole document: they do not depend on its reader. */
  #namesIn(portal: string): Promise<Map<string, string>> {
    const known = this.#names.get(portal) ?? this.#openapi.documentOf(portal).then(idsIn);
    this.#names.set(portal, known);
    known.catch(() => this.#names.delete(portal));
    return known;
  }
}

function idsIn({ paths }: OpenApiDocument): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, item] of Object.entries(paths))
    for (const verb of ["get", "put", "post", "patch", "delete"] satisfies OperationVerb[]) {
      const id = item[verb]?.operationId;
      if (id !== undefined) found.set(`${verb} ${path}`, id);
    }
  return found;
}
