import { createHash } from "node:crypto";
import { type Application, type BaseController, BoundedCache, type Route } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { OpenApi, OpenApiDocument } from "./contract.ts";
import { type DocumentSource, writeDocument } from "./document.ts";
import { errors } from "./errors.ts";
import { AccountAsker } from "./facts/asker.ts";
import { PortalAsker } from "./facts/portal_asker.ts";
import { factsOf, type PortalFacts } from "./facts/resource_facts.ts";
import { documentText } from "./sorted.ts";

/** How many documents are cached: one for each set of what accounts may have in a portal. */
const MAX_DOCUMENTS = 50;

/** A document with its text, and the tag by which clients ask whether it is still the same. */
export interface WrittenDocument {
  readonly document: OpenApiDocument;
  readonly text: string;
  readonly etag: string;
}

/** The documents of an application, each written when it is first asked for. */
export class Documents implements OpenApi {
  readonly #source: DocumentSource;
  readonly #routes = new Map<string, Route>();
  readonly #known = new BoundedCache<WrittenDocument>(MAX_DOCUMENTS);
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
    return (await this.whole(portal)).document;
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
    const key = createHash("sha256")
      .update(JSON.stringify([portal, facts]))
      .digest("base64url");
    return this.#known.getOrMake(key, () => {
      const document = writeDocument(this.#source, portal, facts);
      const text = documentText(document);
      return { document, text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
    });
  }
}
