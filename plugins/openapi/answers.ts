import { type BaseController, isKnownTag, Reply } from "framewright/host";
import type { OpenApiDocument } from "./contract.ts";
import type { Documents, WrittenDocument } from "./documents.ts";
import { pageLocals } from "./page/locals.ts";

/** Asked for each time: what an account may have changes with its roles. */
const CACHE = "private, no-cache";

/** `GET <portal>/openapi.json`: the document of the account; of an opened portal, guests have the whole one. */
export async function answerDocument(documents: Documents, controller: BaseController): Promise<Reply> {
  const { request } = controller;
  const portal = request.engine!.name;
  const isGuest = controller.currentUser === undefined;
  const isOpened = (controller.constructor as { opensDocument?: boolean }).opensDocument === true;
  const written = isGuest && isOpened ? await documents.whole(portal) : documents.ofAccount(controller, portal);
  return request.format === "json" ? answerJson(controller, written) : answerPage(controller, written);
}

function answerJson(controller: BaseController, { text, etag }: WrittenDocument): Reply {
  const headers = { etag, "cache-control": CACHE };
  if (isKnownTag(controller.request.header("if-none-match"), etag))
    return controller.answer(new Reply(304, "", headers));
  return controller.answer(new Reply(200, text, { ...headers, "content-type": "application/json; charset=utf-8" }));
}

function answerPage(controller: BaseController, { text }: WrittenDocument): Reply {
  return controller.render("openapi/document", { locals: pageLocals(controller, JSON.parse(text) as OpenApiDocument) });
}
