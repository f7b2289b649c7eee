import { type BaseController, type Reply, type Route, withOrigin } from "framewright/host";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import { allows, type Registration, type ResourceController, type Resources } from "framewright/plugins/resources";
import { isDenial } from "framewright/plugins/resources/toolkit";
import type { Delivery, EventDetails, Webhook, WebhookOwner, WebhookPlace, WithheldReason } from "../contract.ts";
import { TEST_EVENT } from "../events/names.ts";
import { requestOf } from "../events/offered.ts";
import type { Entered, People } from "./people.ts";

/** A message, or why there is none. */
export type Composed = { readonly body: string } | { readonly withheld: WithheldReason };

export interface PayloadParts {
  readonly people: People;
  readonly resources: Resources;
  /** Whether the person of a request may have webhooks. */
  readonly may: (controller: BaseController) => boolean;
  /** The list of webhooks in a portal. */
  readonly routeIn: (portal: string) => Route | undefined;
  /** Its path below the mount. */
  readonly path: string;
}

/** Composes messages: what their webhook's owner may read at this moment, and nothing else. */
export class Payloads {
  readonly #parts: PayloadParts;

  constructor(parts: PayloadParts) {
    this.#parts = parts;
  }

  async compose(webhook: Webhook, delivery: Delivery): Promise<Composed> {
    return withOrigin({}, async () => {
      const page = await this.#enter(webhook);
      if (!page) return { withheld: "person" };
      const { event, details, model } = delivery;
      const found = model === null ? { data: plainData(event, details) } : await this.#record(webhook, delivery, page);
      if ("withheld" in found) return found;
      return { body: JSON.stringify({ type: event, timestamp: details.at, data: found.data }) };
    });
  }

  /** Whether a job can let somebody in who is about to make a webhook. */
  canEnter(place: WebhookPlace, owner: WebhookOwner): Promise<boolean> {
    return withOrigin({}, async () => (await this.#enter({ ...place, ...owner })) !== undefined);
  }

  /** The owner of a webhook, where they still may have one. */
  async #enter(webhook: WebhookPlace & WebhookOwner): Promise<Entered | undefined> {
    const { people, routeIn, may, path } = this.#parts;
    const route = routeIn(webhook.portal);
    const entered = route && (await people.enter(webhook, route, { path, params: {} }));
    return entered && may(entered.controller) === true ? entered : undefined;
  }

  async #record(webhook: Webhook, delivery: Delivery, page: Entered): Promise<Found> {
    const { resources } = this.#parts;
    const { model: constant, record: key, event, details } = delivery;
    const model = resources.database.models().find((one) => one.constant === constant);
    const registration = model && resources.registry.nearest(webhook.portal, model);
    if (!model || !registration || registration.singular) return { withheld: "record" };
    const about = { model: model.constant, id: key };
    if (event.endsWith(".deleted"))
      return this.#mayHearOfDeleted(page.controller, registration, model, key!)
        ? { data: about }
        : { withheld: "record" };
    const stored = await this.#stored(model, key!);
    if (!stored) return { withheld: "deleted" };
    const shown = await this.#shown(webhook, registration, stored);
    if (!shown || String(shown.id) !== key) return { withheld: "record" };
    const readable = readableDetails(details, registration, new Set(Object.keys(shown)));
    return readable ? { data: { ...about, ...readable, record: shown } } : { withheld: "hidden" };
  }

  async #stored(model: ModelInfo, text: string): Promise<BaseModel | undefined> {
    const key = model.key.parse(text);
    const { database } = this.#parts.resources;
    if (key === undefined) return undefined;
    return (await model.key.where(database.query(model.class), key).first()) as BaseModel | undefined;
  }

  /** The record as its address answers the person in JSON; undefined where it does not. */
  async #shown(webhook: Webhook, registration: Registration, record: BaseModel) {
    const route = this.#routeOf(registration);
    const name = String(Reflect.get(record, registration.paramKey) ?? record.$id());
    const path = `/${registration.path}/${encodeURIComponent(name)}`;
    const entered = route && (await this.#parts.people.enter(webhook, route, { path, params: { id: name } }));
    if (!entered) return undefined;
    const controller = entered.controller as ResourceController;
    try {
      await controller.enterResource();
      return dataOf(await controller.show());
    } catch (error) {
      if (isDenial(error)) return undefined;
      throw error;
    }
  }
  #routeOf(registration: Registration): Route | undefined {
    const { people, resources } = this.#parts;
    const { routeSets } = people.application;
    return routeSets.get(registration.owner)?.routes.find((route) => {
      const about = resources.registry.routes.get(route);
      const isOwn = about?.registration === registration && !about.parent && !about.custom && !about.answer;
      return isOwn && route.verb === "GET" && route.action === "show" && !route.pattern.includes("/panels/");
    });
  }

  /**
   * Whether the person may know that a record was deleted: one whose key is all that is known. A policy that needs more of it
   * denies, and so does one that leaves records out, unless `canSendDeleted()` permits it.
   */
  #mayHearOfDeleted(page: BaseController, registration: Registration, model: ModelInfo, key: string): boolean {
    const { resources } = this.#parts;
    const controller = requestOf(page, resources, registration);
    const isNarrowed =
      resources.isScoped(controller, model) || resources.hooks.scope.taps.some(({ name }) => name !== "scoping");
    const policy = resources.policy(page, registration.policyClass, ghostOf(model, key));
    try {
      if ("canSendDeleted" in policy) return allows(policy, "send_deleted");
      return !isNarrowed && allows(policy, "show");
    } catch {
      return false;
    }
  }
}

type Found = { readonly data: object } | { readonly withheld: WithheldReason };

/** A record of which nothing but the key is known: whoever reads more of it is refused. */
function ghostOf(model: ModelInfo, text: string): BaseModel {
  const record = new model.class() as BaseModel;
  const key = model.key.parse(text);
  if (!model.key.isComposite) Reflect.set(record, model.primaryKey, key);
  return new Proxy(record, {
    get(target, name, receiver) {
      if (typeof name === "string" && !model.isKey(name) && (model.columns.has(name) || model.associations.has(name)))
        throw new Error(`${model.constant} is deleted`);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

/** Of an event that is about no record. */
const plainData = (event: string, { wizard, run }: EventDetails): object =>
  event === TEST_EVENT ? { test: true } : { wizard, run };

/** The details of which the person may read the fields; undefined where nothing else changed. */
function readableDetails(details: EventDetails, registration: Registration, shown: ReadonlySet<string>) {
  const { changed, column, from, to, action } = details;
  if (column !== undefined) return shown.has(column) ? { from, to } : undefined;
  if (action !== undefined) return { action };
  if (!changed) return {};
  const columns = new Set(changed);
  const names = [...shown].filter((name) => columnsOf(name, registration).some((one) => columns.has(one)));
  return names.length > 0 ? { changed: names } : undefined;
}

function columnsOf(name: string, registration: Registration): readonly string[] {
  const { columns, associations, polymorphic, money } = registration.model;
  if (columns.has(name)) return [name];
  const { typeColumn, idColumn } = (polymorphic.get(name) ?? {}) as { typeColumn?: string; idColumn?: string };
  if (typeColumn !== undefined) return [typeColumn, ...(idColumn === undefined ? [] : [idColumn])];
  const association = associations.get(name);
  if (association?.kind === "belongsTo") return association.key.columns;
  return money[name] === undefined ? [] : [money[name]];
}

function dataOf(reply: Reply | undefined): Record<string, unknown> | undefined {
  if (reply?.status !== 200 || typeof reply.body !== "string") return undefined;
  const { data } = JSON.parse(reply.body) as { data?: unknown };
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : undefined;
}
