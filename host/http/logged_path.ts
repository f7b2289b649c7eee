/** Names of path parameters whose values are credentials. */
const SECRET_NAME = /(?:^|_)(?:token|key|secret|code)$/;
const ID_NAME = /(?:^|_)id$/;
/** A path segment that looks random. */
const RANDOM_PART = /(?<=\/)(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{16,}(?=\/|\.|$)/g;
const LOOKS_RANDOM = /^(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{16,}(?:\.|$)/;

/** What is read of a request, and of its route. */
interface LoggedRequest {
  readonly path: string;
  readonly route: LoggedRoute | undefined;
  readonly routeParams: Readonly<Record<string, string>>;
}
interface LoggedRoute {
  readonly parameters: readonly string[];
}

/** Parameters of a route: `secret` ones are never logged, `other` ones only where they do not look random. */
interface Parameters {
  readonly secret: readonly string[];
  readonly other: readonly string[];
}
/** Module-level: found by a route, and freed with it. */
const parametersOf = new WeakMap<LoggedRoute, Parameters>();

/** The path for logs and error reports, with secrets replaced by their names: `/join/[token]/company`. */
export function loggedPath({ path, route, routeParams }: LoggedRequest): string {
  if (!route) return path.replaceAll(RANDOM_PART, "[secret]");
  const { secret, other } = parametersByKind(route);
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

function parametersByKind(route: LoggedRoute): Parameters {
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
