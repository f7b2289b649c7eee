import type { BaseController } from "framewright/host";
import { addressOf } from "../calls/address.ts";
import type { InnerRequests } from "../calls/inner_request.ts";
import type { AccountTools } from "./account_tools.ts";
import type { RecordsResource } from "./portal_tools.ts";

const MIME = "application/json";

/** `records://AdminPortal/blogging/posts`, and `…/{id}` for one of them. */
const uriOf = ({ request }: BaseController, prefix: string, { path }: RecordsResource): string =>
  `records://${request.engine!.name}${path.slice(prefix.length).replace(/\.json$/, "")}`;

/** The lists that the request may read, as resources. */
export async function listResources(tools: AccountTools, controller: BaseController) {
  const { lists } = await tools.resources(controller);
  const prefix = tools.prefixOf(controller.request.engine!);
  return lists.map((one) => ({
    uri: uriOf(controller, prefix, one),
    name: one.name,
    title: one.title,
    mimeType: MIME,
  }));
}

/** The records of lists, by templates. */
export async function listTemplates(tools: AccountTools, controller: BaseController) {
  const { records } = await tools.resources(controller);
  const prefix = tools.prefixOf(controller.request.engine!);
  return records.map((one) => ({
    ...{ uriTemplate: uriOf(controller, prefix, one), name: one.name, title: one.title, mimeType: MIME },
  }));
}

/** The first page of a list, or a record, as JSON; undefined where there is none for the request. */
export async function readResource(
  { requests }: { requests: InnerRequests },
  tools: AccountTools,
  controller: BaseController,
  uri: string,
): Promise<{ uri: string; mimeType: string; text: string } | undefined> {
  const { lists, records } = await tools.resources(controller);
  const prefix = tools.prefixOf(controller.request.engine!);
  for (const one of [...lists, ...records]) {
    const given = matched(uriOf(controller, prefix, one), uri);
    if (!given) continue;
    const url = addressOf(prefix, controller, one.path, given);
    const reply = await requests.send(controller, { method: "GET", url, route: one.route });
    if (reply.status >= 300) return undefined;
    return { uri, mimeType: MIME, text: String(reply.body) };
  }
  return undefined;
}

/** The values of a template's parameters in a URI; undefined where it is another one. */
function matched(template: string, uri: string): Record<string, string> | undefined {
  const [own, given] = [template.split("/"), uri.split("/")];
  if (own.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, segment] of own.entries()) {
    const text = given[at]!;
    if (!segment.startsWith("{")) {
      if (segment !== text) return undefined;
    } else {
      if (/^\.{0,2}$/.test(text)) return undefined;
      try {
        values[segment.slice(1, -1)] = decodeURIComponent(text);
      } catch {
        return undefined;
      }
    }
  }
  return values;
}
