import { safeLocation } from "framewright/host";
import { describe } from "framewright/kernel";
import { BaseModel } from "framewright/plugins/database";
import { type NotificationContent, notificationKinds } from "./contract.ts";
import { errors } from "./errors.ts";
import { type Owner, ownerOf } from "./owner.ts";
import type { NotificationRow } from "./store.ts";

const MAX_TITLE = 200;
const MAX_BODY = 2000;
const MAX_ACCOUNTS = 1000;
/** No application's: what is safe for it is a path. */
const NO_ORIGIN = "https://path.invalid";

/** A path of this application; undefined for what leads elsewhere. */
export const safePath = (given: unknown): string | undefined =>
  typeof given === "string" && given.startsWith("/") ? safeLocation(given, { origin: NO_ORIGIN }) : undefined;

/** What is stored of a notification. @throws FW_NOTIFICATION */
export function rowOf(content: NotificationContent): NotificationRow {
  const { title, body = null, url = null, kind = "info" } = content;
  const refuse = (name: string, value: unknown, fix: string) =>
    errors.FW_NOTIFICATION(`its ${name} is ${describe(value)}`, fix);
  if (typeof title !== "string" || title.trim() === "") throw refuse("title", title, "Give it a line of text.");
  if (body !== null && typeof body !== "string") throw refuse("body", body, "Give it text, or leave it out.");
  if (!notificationKinds.includes(kind)) throw refuse("kind", kind, `It is one of ${notificationKinds.join(", ")}.`);
  const path = url === null ? null : safePath(url);
  if (path === undefined) throw refuse("url", url, 'Give it a path of this application, as "/admin/posts/7".');
  return { kind, title: cut(title.trim(), MAX_TITLE), body: body === null ? null : cut(body, MAX_BODY), url: path };
}

/** Titles have names of records in them: a long one is cut, not refused. */
const cut = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
};

/** Whom it is for, each once. @throws FW_NOTIFICATION */
export function ownersOf(accounts: BaseModel | readonly BaseModel[]): Owner[] {
  const list: readonly unknown[] = Array.isArray(accounts) ? accounts : [accounts];
  if (list.length > MAX_ACCOUNTS)
    throw errors.FW_NOTIFICATION(`it is for ${list.length} accounts`, `Send it to at most ${MAX_ACCOUNTS} at a time.`);
  const owners = new Map<string, Owner>();
  for (const account of list) {
    if (!(account instanceof BaseModel) || account.$id() === undefined)
      throw errors.FW_NOTIFICATION(
        `it is for ${account instanceof BaseModel ? "a record that is not saved" : describe(account)}`,
        "Pass the record of an account.",
      );
    const owner = ownerOf(account);
    owners.set(`${owner.owner_type} ${owner.owner_id}`, owner);
  }
  return [...owners.values()];
}
