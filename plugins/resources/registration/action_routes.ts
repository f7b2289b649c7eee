import type { Engine, Route } from "framewright/host";
import { errors } from "../errors.ts";
import type { Registration } from "./registration.ts";

/** Every compiled route, by its portal: what the paths of actions are checked against. */
export class ActionRoutes {
  readonly #routes = new Map<string, Route[]>();

  add(route: Route, engine: Engine | undefined): void {
    const key = keyOf(engine?.name, route.verb, route.segments);
    const routes = this.#routes.get(key);
    if (routes) routes.push(route);
    else this.#routes.set(key, [route]);
  }

  /** @throws FW_ACTION_ROUTE for an action whose button would lead to a 404 */
  check(registration: Registration): void {
    const { definition, path: base, singular, owner } = registration;
    for (const { key, path, interaction, resourceAction, method = "get" } of definition.actions.values()) {
      if (interaction || path === undefined) continue;
      const member = resourceAction || singular ? base : `${base}/:id`;
      const below = path.replace(/[?#].*$/, "");
      const wanted = below === "" ? member : `${member}/${below}`;
      const verb = method.toUpperCase();
      if (!this.#has(owner, verb, wanted.split("/")))
        throw errors.FW_ACTION_ROUTE(
          definition.constructor.name,
          key,
          path,
          `${verb} /${wanted}`,
          owner ?? "the application",
        );
    }
  }

  #has(owner: string | undefined, verb: string, wanted: readonly string[]): boolean {
    const keys = [keyOf(owner, verb, wanted), keyOf(owner, verb, [":", ...wanted.slice(1)])];
    return keys.some((key) => this.#routes.get(key)?.some(({ segments }) => leadsTo(segments, wanted)));
  }
}

/** Routes that may lead to the same: of one verb and length, by their first segment; a parameter is any. */
const keyOf = (owner: string | undefined, verb: string, [first = "", ...rest]: readonly string[]): string =>
  `${owner ?? ""} ${verb} ${rest.length} ${first.startsWith(":") ? ":" : first}`;

/** A parameter takes any segment; but a literal in the place of an id names no record. */
const leadsTo = (segments: readonly string[], wanted: readonly string[]): boolean =>
  segments.length === wanted.length &&
  segments.every((segment, index) => segment === wanted[index] || (segment.startsWith(":") && segment !== ":id"));
