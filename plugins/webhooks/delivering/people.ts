import {
  type Application,
  type BackgroundPlace,
  type BaseController,
  enterInBackground,
  openInBackground,
  type Route,
} from "framewright/host";
import type { Account } from "framewright/kernel";
import { tenantKey } from "framewright/plugins/portals";
import type { Resources } from "framewright/plugins/resources";
import { isDenial } from "framewright/plugins/resources/toolkit";
import type { Webhook } from "../contract.ts";

/** Somebody in a portal, as a request of theirs would get there now. */
export interface Entered {
  readonly controller: BaseController;
  readonly account: object;
}

/** Lets the owner of a webhook into the portal again: their account, their tenant and their roles are those of now. */
export class People {
  readonly #resources: Resources;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  get application(): Application {
    return this.#resources.registry.application;
  }

  /** At a route of the portal; undefined where the person would not get there, or not in the same tenant. */
  async enter(
    { portal, place, tenant, owner_id }: Pick<Webhook, "portal" | "place" | "tenant" | "owner_id">,
    route: Route,
    at: { readonly path: string; readonly params: Readonly<Record<string, string>> },
  ): Promise<Entered | undefined> {
    const engine = this.application.engines.get(portal);
    if (!engine) return undefined;
    const there: BackgroundPlace = {
      ...place,
      route,
      engine,
      url: `${place.mountPath}${at.path}.json`,
      routeParams: { ...place.routeParams, ...at.params },
    };
    const controller = openInBackground(this.application, there);
    const { authentication } = controller.constructor as typeof BaseController;
    const person = { authentication, id: owner_id, request: controller.request };
    const account = await this.#resources.hooks.backgroundAccount.promise(person);
    if (!account) return undefined;
    try {
      if (await enterInBackground(controller, account as Account)) return undefined;
      return tenantKey(controller.currentScopedEntity) === tenant ? { controller, account } : undefined;
    } catch (error) {
      if (isDenial(error)) return undefined;
      throw error;
    }
  }
}
