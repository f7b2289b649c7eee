import { HttpError, Params, parseForm, type Reply } from "framewright/host";
import { readCursor } from "../entry/cursor.ts";
import { listedQuery, type Page } from "../entry/read_page.ts";
import { requestedList } from "../operations/list_context.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";
import { ListUrls, PLAIN_QUERY } from "./list_urls.ts";

/** A browser whose address requests what the list does not have is led to the list without it; undefined for other errors, and for JSON. */
export function answerWithoutRefused(controller: ResourceRequest, error: unknown): Reply | undefined {
  const { request } = controller;
  if (!isRefusal(error) || request.format === "json") return undefined;
  const asked = [...new URL(request.raw.url ?? "", "http://localhost").searchParams];
  const kept = withoutRefused(controller, asked, error);
  if (kept.length === asked.length) return undefined; // what was refused is not of the address: the same answer would come again
  if (controller.currentUser !== undefined) controller.flash.add("warning", controller.t("resource.left_out"));
  const plain = controller.resources.hooks.listOpening.isUsed() ? PLAIN_QUERY : ""; // what was refused may be what the list opens with
  return controller.redirectTo(controller.listUrl + (kept.length === 0 ? plain : `?${new URLSearchParams(kept)}`));
}

type Asked = [name: string, value: string][];
const isRefusal = (error: unknown): error is HttpError => error instanceof HttpError && error.status === 422;

/** What is requested without all that the list refuses; an error names the first alone. */
function withoutRefused(controller: ResourceRequest, asked: Asked, { fields = {} }: HttpError): Asked {
  const kept = asked.filter(([name]) => !Object.hasOwn(fields, name.split("[", 1)[0]!));
  const next = kept.length < asked.length ? refusalOf(controller, kept) : undefined;
  return next ? withoutRefused(controller, kept, next) : kept;
}

function refusalOf(controller: ResourceRequest, asked: Asked): HttpError | undefined {
  try {
    const params = new Params(parseForm(new URLSearchParams(asked).toString()));
    const list = requestedList(controller, controller.listOf("Index"), params);
    list.after = readCursor(controller, list);
    listedQuery(controller, list); // reads the values of filters
  } catch (error) {
    if (isRefusal(error)) return error;
  }
  return undefined; // another error is that of the list it leads to
}

/** A page behind the last one that has rows; undefined where the page has some, or the list has none at all. */
export function answerBehindEnd(controller: ResourceRequest, list: ListRequest, found: Page): Reply | undefined {
  const { entries, total } = found;
  if (entries.length > 0 || total === 0 || list.after || controller.request.format === "json") return undefined;
  const last = Math.ceil(total / list.perPage);
  if (list.page <= last) return undefined;
  return controller.redirectTo(new ListUrls(controller, list).page(last, list.askedPerPage));
}
