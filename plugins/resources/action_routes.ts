import type { Engine, Route } from "framewright";
import { errors } from "./errors.ts";
import type { Registration } from "./registration.ts";

/** Every route that was compiled, by the portal whose it is: what the paths of actions are held against. */
export class ActionRoutes {
  readonly #routes = new Map<string | undefined, Route[]>();

  add(route: Route, engine: Engine | undefined): void {
    const routes = this.#routes.get(engine?.name) ?? [];
    this.#routes.set(engine?.name, routes);
    routes.push(route);
  }

  /** @throws FW_ACTION_ROUTE for an action whose button would lead to a 404 */
  check(registration: Registration): void {
    const { definition, path: base, singular, owner } = registration;
    for (const { key, path, interaction, resourceAction, method = "get" } of definition.actions.values()) {
      if (interaction || path === undefined) continue;
      const member = resourceAction || singular ? base : `${base}/:id`;
      const below = path.replace(/[?#].*$/, "");
      const wanted = `/${below === "" ? member : `${member}/${below}`}`;
      const verb = method.toUpperCase();
      const routes = this.#routes.get(owner) ?? [];
      if (!routes.some((route) => route.verb === verb && leadsTo(route.segments, wanted.split("/").slice(1))))
        throw errors.FW_ACTION_ROUTE(definition.constructor.name, key, path, `${verb} ${wanted}`);
    }
  }
}

/** A parameter takes any segment; but a word in the place of an id names no record. */
const leadsTo = (segments: readonly string[], wanted: readonly string[]): boolean =>
  segments.length === wanted.length &&
  segments.every((segment, index) => segment === wanted[index] || (segment.startsWith(":") && segment !== ":id"));
