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

/** A model that no marked record could be made of. */
export interface UncoveredModel {
  readonly model: string;
  readonly reason: string;
}

/** The result of `auditTenancy`. */
export interface TenancyReport {
  readonly portals: readonly string[];
  readonly routes: readonly AuditedRoute[];
  readonly rows: readonly AuditRow[];
  readonly leaks: readonly TenancyLeak[];
  readonly models: { readonly marked: readonly string[]; readonly uncovered: readonly UncoveredModel[] };
  readonly totals: {
    readonly routes: number;
    /** Routes that are `ok`, `refused` or `leak`. */
    readonly covered: number;
    readonly requests: number;
    readonly leaks: number;
  };
  /** Where the copy is, with `keep`. */
  readonly kept: string | undefined;
}

/** Sums up the requests of each route. `why` says why a route got none that shows something. */
export function summarize(
  routes: readonly { portal: string; route: string }[],
  rows: readonly AuditRow[],
  why: ReadonlyMap<string, string>,
): AuditedRoute[] {
  return routes.map(({ portal, route }) => {
    const own = rows.filter((row) => row.portal === portal && row.route === route);
    return { portal, route, requests: own.length, ...resultOf(own, why.get(`${portal} ${route}`)) };
  });
}

function resultOf(rows: readonly AuditRow[], why: string | undefined): Pick<AuditedRoute, "result" | "detail"> {
  const leak = rows.find(({ leaks }) => leaks);
  if (leak) return { result: "leak", detail: leak.problem };
  const failed = rows.find(({ status }) => status >= 500);
  if (failed) return { result: "not covered", detail: `${failed.url} answers ${failed.status} as ${failed.as}` };
  const unclear = rows.find(({ problem }) => problem !== undefined);
  if (unclear) return { result: "not covered", detail: unclear.problem };
  if (why !== undefined) return { result: "not covered", detail: why };
  if (rows.length === 0) return { result: "not covered", detail: "no request could be made of it" };
  const served = rows.some(({ attempt, status }) => attempt === "own records" && isServed(status));
  if (served) return { result: "ok", detail: undefined };
  const statuses = [...new Set(rows.filter(({ attempt }) => attempt === "own records").map(({ status }) => status))];
  return { result: "refused", detail: `answers ${statuses.join(", ")} with own records` };
}

/** Whether an answer shows that the request got past tenant and policy: also a refused value or a conflict. */
export const isServed = (status: number): boolean => status < 400 || status === 409 || status === 422;
