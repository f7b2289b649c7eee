import { createHash } from "node:crypto";
import type { Application, BaseController, Route } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { OpenApi, OpenApiDocument, OperationVerb, WrittenDocument } from "./contract.ts";
import { type DocumentSource, type OperationRoutes, writeDocument } from "./document.ts";
import { errors } from "./errors.ts";
import { AccountAsker } from "./facts/asker.ts";
import { PortalAsker } from "./facts/portal_asker.ts";
import { factsOf, type PortalFacts } from "./facts/resource_facts.ts";
import { TextCache } from "./text_cache.ts";

/** How much of documents is cached, of all accounts together: a portal of 200 resources has some 5,000,000 characters. */
const MAX_CHARS = 30_000_000;

/** The documents of an application, each written when it is first requested. */
export class Documents implements OpenApi {
  readonly #source: DocumentSource;
  readonly #routes = new Map<string, Route>();
  readonly #known = new TextCache<WrittenDocument>(MAX_CHARS);
  readonly #whole = new Map<string, Promise<PortalFacts>>();
  readonly #carriedBy = new Map<string, OperationRoutes>();

  constructor(source: DocumentSource) {
    this.#source = source;
  }

  /** `route`: that of its document. */
  add(portal: string, route: Route): void {
    this.#routes.set(portal, route);
  }
  get portals(): readonly string[] {
    return [...this.#routes.keys()].sort();
  }

  async documentOf(portal: string): Promise<OpenApiDocument> {
    return JSON.parse((await this.whole(portal)).text) as OpenApiDocument;
  }
  /** What everybody may have in a portal together. @throws FW_OPENAPI_PORTAL */
  async whole(portal: string): Promise<WrittenDocument> {
    const route = this.#routes.get(portal);
    if (!route) throw errors.FW_OPENAPI_PORTAL(portal, this.portals, suggest(portal, this.portals));
    const facts = this.#whole.get(portal) ?? this.#wholeFacts(portal, route);
    this.#whole.set(portal, facts);
    return this.#written(portal, await facts);
  }
  /** What the account of a request may have. */
  ofAccount(controller: BaseController, portal: string): WrittenDocument {
    return this.#written(portal, factsOf(new AccountAsker(controller), this.#registrations(portal)));
  }

  /** The route of an operation of a document that was written; undefined for one that a plugin has added to the document. */
  routeOf(portal: string, verb: OperationVerb, path: string): Route | undefined {
    return this.#carriedBy.get(portal)?.get(`${verb} ${path}`);
  }

  async #wholeFacts(portal: string, route: Route): Promise<PortalFacts> {
    const asker = await PortalAsker.open(this.#application, portal, route);
    return factsOf(asker, this.#registrations(portal));
  }
  #registrations(portal: string) {
    return this.#source.resources.registry.of(portal).values();
  }
  get #application(): Application {
    return this.#source.application;
  }
  #written(portal: string, facts: PortalFacts): WrittenDocument {
    const key = digestOf(JSON.stringify([portal, facts]));
    return this.#known.getOrMake(key, () => {
      const carriedBy = this.#carriedBy.get(portal) ?? new Map<string, Route>();
      this.#carriedBy.set(portal, carriedBy);
      const text = JSON.stringify(writeDocument(this.#source, portal, { facts, carriedBy }));
      return { text, etag: `"${digestOf(text)}"` };
    });
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
