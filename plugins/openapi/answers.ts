import { type BaseController, isKnownTag, Reply, type RequestContext } from "framewright/host";
import type { OpenApiDocument, WrittenDocument } from "./contract.ts";
import type { Documents } from "./documents.ts";
import { pageLocals } from "./page/locals.ts";

/** Revalidated each time: what an account may have changes with its roles. */
const CACHE = "private, no-cache";

/** Below the mount of a portal. */
export const PATH = "/openapi";

/** `GET <portal>/openapi.json`: the document of the account, and `GET <portal>/openapi`: a page to read it. */
export async function answerDocument(documents: Documents, controller: BaseController): Promise<Reply> {
  const { request } = controller;
  const written = documents.ofAccount(controller, request.engine!.name);
  return request.format === "json"
    ? controller.answer(documentReply(request, written))
    : answerPage(controller, written);
}

/** The whole document of an opened portal; a sender of a token has their own. */
export async function answerOpened(
  documents: Documents,
  open: readonly string[],
  request: RequestContext,
): Promise<Reply | undefined> {
  if (!request.path.endsWith(PATH) || request.format !== "json" || request.method !== "GET") return undefined;
  if (request.header("authorization") !== undefined) return undefined;
  const { mounts } = request.application;
  const mount = mounts.find(({ at, engine }) => request.path === at + PATH && open.includes(engine.name));
  return mount && documentReply(request, await documents.whole(mount.engine.name));
}

function documentReply(request: RequestContext, { text, etag }: WrittenDocument): Reply {
  const headers = { etag, "cache-control": CACHE };
  if (isKnownTag(request.header("if-none-match"), etag)) return new Reply(304, "", headers);
  return new Reply(200, text, { ...headers, "content-type": "application/json; charset=utf-8" });
}

function answerPage(controller: BaseController, { text }: WrittenDocument): Reply {
  return controller.render("openapi/document", { locals: pageLocals(controller, JSON.parse(text) as OpenApiDocument) });
}
