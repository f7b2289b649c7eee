import type { ResourceRequest } from "framewright/plugins/resources";
import type { Rights } from "./access.ts";

/** Characters of a comment. */
export const MAX_TEXT = 10_000;
const MAX_MENTIONS = 20;

/** The values of a comment's form; `problem` where they can't be stored. */
export interface SentComment {
  readonly text: string;
  readonly internal: boolean;
  readonly problem?: string | undefined;
}

/** What a form or a program has sent. */
export function sentComment(controller: ResourceRequest, rights: Rights): SentComment {
  const { body } = controller.request;
  const given = body.get("text");
  const text = typeof given === "string" ? given.replaceAll("\r\n", "\n").replaceAll("\0", "").trim() : "";
  const sent = body.get("internal");
  const last = Array.isArray(sent) ? sent.at(-1) : sent;
  const isForAll = last === false || last === 0 || last === "0" || last === "false"; // any other value is internal
  return { text, internal: rights.internal && !isForAll, problem: problemOf(controller, text) };
}

function problemOf(controller: ResourceRequest, text: string): string | undefined {
  if (text === "") return controller.t("comments.empty");
  return text.length > MAX_TEXT ? controller.t("comments.too_long", { count: MAX_TEXT }) : undefined;
}

/** The ids of people that a form or a program names. */
export function sentMentions({ request }: ResourceRequest): string[] {
  const given = request.body.get("mentions");
  const list = Array.isArray(given) ? given : [given];
  const ids = list.flatMap((one) => (typeof one === "string" || typeof one === "number" ? [String(one)] : []));
  return ids.slice(0, MAX_MENTIONS);
}

/** The number of a comment in an address; undefined for anything else. */
export const commentNumber = (given: unknown): number | undefined => {
  const found = typeof given === "string" ? /^[1-9]\d{0,14}$/.exec(given)?.[0] : undefined;
  return found === undefined ? undefined : Number(found);
};
