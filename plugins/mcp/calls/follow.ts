import type { BaseController, Reply, Route } from "framewright/host";
import type { OperationTool } from "../tools/portal_tools.ts";
import type { InnerRequests } from "./inner_request.ts";
import { isJson } from "./results.ts";

interface FollowParts {
  readonly requests: InnerRequests;
  readonly prefix: string;
  /** The tools that the request is offered. */
  readonly offered: () => Promise<readonly OperationTool[]>;
}

/** Where a reply led: a tool that reads it, with its arguments. */
export interface Address {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/**
 * What a redirect leads to, when a tool of the portal reads it; else the reply as it is: what was written is written, whatever
 * is wrong with where it leads.
 */
export async function follow(
  { requests, prefix, offered }: FollowParts,
  controller: BaseController,
  reply: Reply,
): Promise<{ reply: Reply; address?: Address }> {
  const { location } = reply.headers;
  const { mountPath, origin } = controller.request;
  if (reply.status < 301 || reply.status > 303 || typeof location !== "string") return { reply };
  if (!URL.canParse(location, origin)) return { reply };
  const target = new URL(location, origin);
  if (target.origin !== new URL(origin).origin || !target.pathname.startsWith(`${mountPath}/`)) return { reply };
  const own = target.pathname.slice(mountPath.length).replace(/\.json$/, "");
  const nearest = [...(await offered())].sort(
    (one, other) => one.route.parameters.length - other.route.parameters.length,
  );
  for (const { tool, verb, path, route } of nearest) {
    const given = verb === "get" ? matched(path.slice(prefix.length).replace(/\.json$/, ""), own, route) : undefined;
    if (!given) continue;
    const url = `${mountPath}${own}.json${target.search}`;
    const next = await requests.send(controller, { method: "GET", url, route });
    if (next.status >= 300 || !isJson(next)) return { reply };
    return { reply: next, address: { tool: tool.name, arguments: given } };
  }
  return { reply };
}

/** The values of the parameters of a path that leads to a route. */
function matched(template: string, path: string, { segments }: Route): Record<string, string> | undefined {
  const [own, given] = [template.split("/"), path.split("/")];
  if (own.length !== given.length || segments.length !== own.length - 1) return undefined;
  const values: Record<string, string> = {};
  for (const [at, segment] of own.entries()) {
    const value = segment.startsWith("{") ? decoded(given[at]!) : undefined;
    if (value !== undefined) values[segment.slice(1, -1)] = value;
    else if (segment !== given[at]) return undefined;
  }
  return values;
}

/** Undefined for what is no text in percent-encoding. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
