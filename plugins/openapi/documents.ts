import { createHash } from "node:crypto";
import type { Application, BaseController, Route } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { OpenApi, OpenApiDocument } from "./contract.ts";
import { type DocumentSource, writeDocument } from "./document.ts";
import { errors } from "./errors.ts";
import { AccountAsker } from "./facts/asker.ts";
import { PortalAsker } from "./facts/portal_asker.ts";
import { factsOf, type PortalFacts } from "./facts/resource_facts.ts";
import { TextCache } from "./text_cache.ts";

/** How much of documents is cached, of all accounts together: a portal of 200 resources has some 5,000,000 characters. */
const MAX_CHARS = 30_000_000;

/** The text of a document, and the tag by which clients ask whether it is still the same. */
export interface WrittenDocument {
  readonly text: string;
  readonly etag: string;
}

/** The documents of an application, each written when it is first asked for. */
export class Documents implements OpenApi {
  readonly #source: DocumentSource;
  readonly #routes = new Map<string, Route>();
  readonly #known = new TextCache<WrittenDocument>(MAX_CHARS);
  readonly #whole = new Map<string, Promise<PortalFacts>>();

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
      const text = JSON.stringify(writeDocument(this.#source, portal, facts));
      return { text, etag: `"${digestOf(text)}"` };
    });
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
