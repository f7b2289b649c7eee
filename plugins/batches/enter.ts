import { enterInBackground, openInBackground, type ParamObject } from "framewright/host";
import type { Account } from "framewright/kernel";
import { tenantKey } from "framewright/plugins/portals";
import type { Registration, ResourceController, Resources } from "framewright/plugins/resources";
import { isDenial, Refusal } from "framewright/plugins/resources/toolkit";
import type { BatchPlace } from "./contract.ts";
import { errors } from "./errors.ts";

/** The methods of the controller that a batch acts at. */
export type BatchAction = "create" | "runRecordAction";

/** What is acted on below the address of a list. */
export interface Below {
  readonly path?: string;
  readonly routeParams?: Readonly<Record<string, string>>;
}

/** Where the requests of a batch are made, as a program of the person would make them. */
export class BatchEntry {
  readonly resources: Resources;
  readonly registration: Registration;
  readonly #place: BatchPlace;
  readonly #action: BatchAction;
  readonly #list: URL;

  constructor(resources: Resources, registration: Registration, place: BatchPlace, action: BatchAction) {
    this.resources = resources;
    this.registration = registration;
    this.#place = place;
    this.#action = action;
    const { portal, tenant } = place;
    const options = {
      ...(portal === undefined ? {} : { portal }),
      ...(tenant === undefined ? {} : { entity: tenant }),
    };
    this.#list = new URL(resources.urlFor(registration.model.class, options));
  }

  /**
   * A controller of the person, before its action, with a request that sends these values: tenant, policies and the account's
   * membership are found by the portal itself. @throws Refusal, FW_BATCH_PLACE
   */
  async enter(body: ParamObject, { path = "", routeParams }: Below = {}): Promise<ResourceController> {
    const { application } = this.resources.registry;
    const { portal, tenant, as } = this.#place;
    const engine = portal === undefined ? undefined : application.engines.get(portal);
    const { host, pathname } = this.#list;
    const mount = this.#mount(pathname);
    const controller = openInBackground(application, {
      ...{ route: this.#route(), engine, host, mountPath: mount.path, url: `${pathname}${path}.json` },
      routeParams: { ...mount.params, ...routeParams },
    }) as ResourceController;
    controller.request.setBody(body);
    const reply = await enterInBackground(controller, as as Account).catch((error: unknown) => {
      throw isDenial(error) ? new Refusal("entry") : error;
    });
    const isThere = tenant === undefined || tenantKey(controller.currentScopedEntity) === tenantKey(tenant);
    if (reply || !isThere) throw new Refusal("entry");
    return controller;
  }

  #route() {
    const { registration } = this;
    const { routes, application } = this.resources.registry;
    const route = registration.once(`batch by ${this.#action}`, () =>
      application.routeSets.get(registration.owner)?.routes.find((one) => {
        const about = routes.get(one);
        if (about?.registration !== registration || about.parent || about.custom || about.answer) return false;
        return one.action === this.#action;
      }),
    );
    if (!route || registration.singular)
      throw errors.FW_BATCH_PLACE(registration.constant, this.#action, registration.owner);
    return route;
  }

  /** The path that the portal is mounted at, with the segments before its routes. */
  #mount(pathname: string): { path: string; params: Record<string, string> } {
    const { application } = this.resources.registry;
    const mount = application.mounts.find(({ engine }) => engine.name === this.#place.portal);
    if (!mount) return { path: application.settings.basePath, params: {} };
    const names = mount.engine.prefixParameters;
    const segments = pathname
      .slice(mount.at.length)
      .split("/")
      .slice(1, 1 + names.length);
    const params = Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(segments[at]!)]));
    return { path: [mount.at, ...segments].join("/"), params };
  }
}
