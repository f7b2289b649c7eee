import type { Route } from "../routing/route.ts";
import type { RequestContext } from "./request.ts";

/** Names of path parameters whose values let in whoever has them. */
const SECRET_NAME = /(?:^|_)(?:token|key|secret|code)$/;
const ID_NAME = /(?:^|_)id$/;
/** A part of a path that looks drawn at random. */
const RANDOM_PART = /(?<=\/)(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{16,}(?=\/|\.|$)/g;
const LOOKS_RANDOM = /^(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{16,}(?:\.|$)/;

/** Parameters of a route by whether their values are secrets, or may be one that was put in the wrong place. */
interface Parameters {
  readonly secret: readonly string[];
  readonly other: readonly string[];
}
const parametersOf = new WeakMap<Route, Parameters>();

/** The path as logs and error reports have it: secrets in it are replaced by their names, `/join/[token]/company`. */
export function loggedPath({ path, route, routeParams }: RequestContext): string {
  if (!route) return path.replaceAll(RANDOM_PART, "[secret]");
  const { secret, other } = sorted(route);
  if (secret.length === 0 && other.length === 0) return path;
  const names = [...secret, ...other.filter((name) => LOOKS_RANDOM.test(routeParams[name] ?? ""))];
  if (names.length === 0) return path;
  return path
    .split("/")
    .map((part) => {
      const name = names.find((one) => routeParams[one] === decoded(part) || `${routeParams[one]}.json` === part);
      return name === undefined ? part : `[${name}]`;
    })
    .join("/");
}

function sorted(route: Route): Parameters {
  let found = parametersOf.get(route);
  if (!found) {
    const secret = route.parameters.filter((name) => SECRET_NAME.test(name));
    const other = route.parameters.filter((name) => !SECRET_NAME.test(name) && !ID_NAME.test(name));
    found = { secret, other };
    parametersOf.set(route, found);
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
