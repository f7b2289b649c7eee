/** What an attempt, or all attempts on a route, showed. */
export type AuditResult = "ok" | "refused" | "leak" | "not covered";

/**
 * What was tried: the other tenant in the URL; the own tenant with own records; the own tenant with records of the other.
 */
export type AuditAttempt = "other tenant" | "own records" | "other records";

/** One request. */
export interface AuditRow {
  readonly portal: string;
  /** `GET /customer/:organization_id/posts/:id` */
  readonly route: string;
  /** The person: `user (owner) of A`, `user without a tenant`, `guest`. */
  readonly as: string;
  readonly attempt: AuditAttempt;
  /** The request as it was sent. */
  readonly url: string;
  readonly status: number;
  /** Whether the person may enter the tenant that the request names. */
  readonly mayEnter: boolean;
  /** What leaked, or why the request shows nothing. */
  readonly problem?: string;
  readonly leaks: boolean;
}

/** A route, by all requests that it answered. */
export interface AuditedRoute {
  readonly portal: string;
  readonly route: string;
  /** `ok`: served within the tenant. `refused`: nobody who was made gets in. */
  readonly result: AuditResult;
  readonly requests: number;
  /** Why it is not covered, or what leaks. */
  readonly detail: string | undefined;
}

/** Something of one tenant that a member of another reached. */
export interface TenancyLeak {
  readonly portal: string;
  readonly route: string;
  readonly as: string;
  readonly attempt: AuditAttempt;
  readonly url: string;
  readonly what: string;
}

/** What was not tried although its route was: a model without a marked record, a column without a sample, an action, a card or a step that nobody reached. */
export interface Uncovered {
  readonly what: string;
  readonly reason: string;
}

/** The result of `auditTenancy`. */
export interface TenancyReport {
  readonly portals: readonly string[];
  readonly routes: readonly AuditedRoute[];
  readonly rows: readonly AuditRow[];
  readonly leaks: readonly TenancyLeak[];
  /** The models of which each tenant had a marked record. */
  readonly marked: readonly string[];
  readonly uncovered: readonly Uncovered[];
  readonly totals: {
    readonly routes: number;
    /** Routes that are `ok`, `refused` or `leak`. */
    readonly covered: number;
    readonly requests: number;
    readonly leaks: number;
    /** What was not tried, each by its name in `uncovered`. */
    readonly uncovered: number;
  };
  /** Where the copy is, with `keep`. */
  readonly kept: string | undefined;
}

/** A route of a scoped portal; `leadsOn` where a redirect is what it answers, as the launch of a wizard. */
export interface DrawnRoute {
  readonly portal: string;
  readonly route: string;
  readonly leadsOn: boolean;
}

/** Sums up the requests of each route. `why` says why a route was not driven as a whole. */
export function summarize(
  routes: readonly DrawnRoute[],
  rows: readonly AuditRow[],
  why: ReadonlyMap<string, string>,
): AuditedRoute[] {
  return routes.map((drawn) => {
    const { portal, route } = drawn;
    const own = rows.filter((row) => row.portal === portal && row.route === route);
    return { portal, route, requests: own.length, ...resultOf(drawn, own, why.get(`${portal} ${route}`)) };
  });
}

type Result = Pick<AuditedRoute, "result" | "detail">;
const notCovered = (detail: string): Result => ({ result: "not covered", detail });

function resultOf({ leadsOn }: DrawnRoute, rows: readonly AuditRow[], reason: string | undefined): Result {
  const leak = rows.find(({ leaks }) => leaks);
  if (leak) return { result: "leak", detail: leak.problem };
  const failed = rows.find(({ status }) => status >= 500);
  if (failed) {
    const why = failed.problem === undefined ? "" : `: ${failed.problem}`;
    return notCovered(`${failed.url} answers ${failed.status} to ${failed.as}${why}`);
  }
  if (reason !== undefined) return notCovered(reason);
  const own = rows.filter(({ attempt, mayEnter }) => attempt === "own records" && mayEnter);
  if (own.some((row) => isServed(row, leadsOn))) return { result: "ok", detail: undefined };
  const statuses = [...new Set(own.map(({ status }) => status))];
  if (statuses.length === 0) return notCovered("nobody who was made may enter the tenant");
  if (statuses.some((status) => status < 400)) return notCovered("it redirects members to another page");
  return { result: "refused", detail: `answers ${statuses.join(", ")} to members, with own records` };
}

/** Whether an answer shows that the request got past tenant and policy: also a refused value or a conflict. */
function isServed({ status, route }: AuditRow, leadsOn: boolean): boolean {
  if (status === 409 || status === 422) return true;
  return status < 300 || (status < 400 && (leadsOn || !route.startsWith("GET ")));
}

/** The actions and cards that no member reached, of a route that serves several. */
export function unreached(
  { verb, path }: { verb: string; path: string },
  targets: readonly { path: string }[],
  rows: readonly AuditRow[],
): Uncovered[] {
  if (!/:(action_key|card)\b/.test(path)) return [];
  const tried = targets.filter((target) => !target.path.endsWith("/absent"));
  const byName = new Map<string, number[]>();
  for (const target of tried) {
    const what = `${verb} ${path.replace(/:(action_key|card)\b.*/, "")}${target.path.slice(target.path.lastIndexOf("/") + 1)}`;
    const own = rows.filter((row) => row.attempt === "own records" && row.mayEnter && sentTo(row) === target.path);
    const statuses = own.filter(({ url }) => url.startsWith(`${verb} `)).map(({ status }) => status);
    byName.set(what, [...(byName.get(what) ?? []), ...statuses]);
  }
  return [...byName].flatMap(([what, statuses]) => {
    if (statuses.length === 0) return []; // of a tenant without people: guests have their turn with the other one
    if (statuses.some((status) => status < 400 || status === 409 || status === 422)) return [];
    return [{ what, reason: `answers ${[...new Set(statuses)].join(", ")} to members` }];
  });
}

/** The path of a request without its format and query. */
const sentTo = ({ url }: AuditRow): string => url.slice(url.indexOf(" ") + 1).replace(/(\.json)?(\?.*)?$/, "");
