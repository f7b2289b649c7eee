import { type BaseController, networkOf, Reply, tooManyRequests } from "framewright/host";
import type { Limiter } from "framewright/plugins/limits";
import { accountId } from "framewright/plugins/portals";
import { callerOf, digestOf } from "./calls/confirmations.ts";
import { cookiesRefused } from "./errors.ts";
import type { McpServers } from "./server.ts";

/** Below the mount of a portal. */
export const PATH = "/mcp";

/** `POST <portal>/mcp`: one message of the protocol. @throws HttpError 401, 429 */
export async function answerMcp(servers: McpServers, calls: Limiter, controller: BaseController): Promise<Reply> {
  const { request, currentUser } = controller;
  if (!request.cookieless && request.header("cookie") !== undefined) throw cookiesRefused();
  const caller = accountId(currentUser) === undefined ? networkOf(request.address) : digestOf(callerOf(controller));
  const wait = await calls.consume(caller);
  if (wait !== undefined) throw tooManyRequests(wait);
  const answer = await servers.answer(controller);
  const headers = { "cache-control": "no-store", ...Object.fromEntries(answer.headers) };
  return controller.answer(new Reply(answer.status, await answer.text(), headers));
}
