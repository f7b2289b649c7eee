import { type BackgroundPlace, type BaseController, backgroundPlace } from "framewright/host";

/** Where a person set up a webhook, to be entered again by a job: the host, the mount and the tenant of the path. */
export type StoredPlace = Omit<BackgroundPlace, "route" | "engine" | "url">;

/** The parameters of the pages themselves, which lead to no tenant. */
const OWN_PARAMETERS = ["webhook_id", "delivery_id"];

/** Where the person of a request is. */
export function storedPlace({ request }: BaseController): StoredPlace {
  const { route: _route, engine: _engine, url: _url, routeParams, ...place } = backgroundPlace(request, "");
  const others = Object.entries(routeParams).filter(([name]) => !OWN_PARAMETERS.includes(name));
  return { ...place, routeParams: Object.fromEntries(others) };
}
