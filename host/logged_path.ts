import type { RequestContext } from "./request.ts";
import type { Route } from "./routes/route.ts";

/** Names of path parameters whose values let in whoever has them. */
const SECRET_NAME = /(?:^|_)(?:token|key|secret|code)$/;
/** A part of a path that no route explains, and that looks drawn at random. */
const RANDOM_PART = /(?<=\/)(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{16,}(?=\/|$)/g;

const secretsOf = new WeakMap<Route, readonly string[]>();

/** The path as logs and error reports have it: secrets in it are replaced by their names, `/join/[token]/company`. */
export function loggedPath({ path, route, routeParams }: RequestContext): string {
  if (!route) return path.replaceAll(RANDOM_PART, "[secret]");
  let secrets = secretsOf.get(route);
  if (!secrets) {
    secrets = route.parameters.filter((name) => SECRET_NAME.test(name));
    secretsOf.set(route, secrets);
  }
  if (secrets.length === 0) return path;
  return path
    .split("/")
    .map((part) => {
      const name = secrets.find((secret) => routeParams[secret] === decoded(part));
      return name === undefined ? part : `[${name}]`;
    })
    .join("/");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
