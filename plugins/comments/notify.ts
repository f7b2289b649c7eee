import { publicOrigin, zoneOf } from "framewright/host";
import type { Service } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { Jobs } from "framewright/plugins/jobs";
import type { Mailer } from "framewright/plugins/mailer";
import { labelOf } from "framewright/plugins/resources";
import { createdAt, isOwn, visibleTo } from "./access.ts";
import type { StoredComment } from "./contract.ts";
import { textOf } from "./draw.ts";
import type { Entered, People, StoredPlace } from "./people.ts";
import type { CommentStore, Follower } from "./store.ts";

const ANNOUNCE = "comments.announce";
const NOTIFY = "comments.notify";
/** Followers that one job goes through. */
const CHUNK = 200;

export interface NotifyParts {
  readonly store: CommentStore;
  readonly people: People;
  readonly jobs: Jobs;
  readonly notifications: Service<"notifications"> | undefined;
  readonly mailer: Mailer | undefined;
  /** Who gets mails. */
  readonly mails: "all" | "mentions" | false;
}

/** What stores the jobs that notify people, with a transaction. */
export interface Notifier {
  /** Those who follow, of a new comment. */
  announce(comment: number, transaction: Transaction): Promise<unknown>;
  /** One of them. */
  notify(comment: number, follower: Follower, transaction: Transaction): Promise<unknown>;
}

/** Defines the jobs that notify people of a comment. */
export function notifier(parts: NotifyParts): Notifier {
  const { jobs, store } = parts;
  jobs.define<{ comment: number; after: number }>(ANNOUNCE, async ({ comment: id, after }) => {
    const comment = await store.findById(id);
    if (!comment) return; // it was deleted
    const followers = await store.followers(comment, after, CHUNK);
    await store.database.transaction(async (transaction) => {
      for (const follower of followers)
        if (!isOwn(comment, follower))
          await jobs.enqueue(NOTIFY, { comment: id, follower: follower.id }, { transaction });
      const last = followers.at(-1)?.id;
      if (followers.length === CHUNK) await jobs.enqueue(ANNOUNCE, { comment: id, after: last }, { transaction });
    });
  });
  jobs.define<{ comment: number; follower: number }>(NOTIFY, async ({ comment: id, follower: who }) => {
    const [comment, follower] = [await store.findById(id), await store.followerById(who)];
    if (!comment || !follower?.active) return;
    const place = JSON.parse(follower.place) as StoredPlace;
    const entered = await parts.people.enter(follower.portal, place, follower.tenant, follower.owner_id);
    if (!entered) return; // they may no longer see the record
    const { controller, record, rights } = entered;
    const since = createdAt(record);
    if (since && follower.seen_at < since) return; // of an earlier record that had this key
    if (await store.find(visibleTo(controller, record, rights), id)) await notify(parts, comment, follower, entered);
  });
  return {
    announce: (comment, transaction) => jobs.enqueue(ANNOUNCE, { comment, after: 0 }, { transaction }),
    notify: (comment, { id }, transaction) => jobs.enqueue(NOTIFY, { comment, follower: id }, { transaction }),
  };
}

/** Stores the notification and the mail of one person together. */
async function notify(
  { store, notifications, mailer, mails }: NotifyParts,
  comment: StoredComment,
  follower: Follower,
  { controller, account, record }: Entered,
): Promise<void> {
  const { request, currentScopedEntity: tenant } = controller;
  const { application } = request;
  const { locale: own, time_zone, email } = account as { locale?: unknown; time_zone?: unknown; email?: unknown };
  const locale = application.languages.find(own) ?? request.locale;
  const inTenant = comment.tenant === follower.tenant && comment.portal === follower.portal;
  const isNamed = inTenant && comment.mentions.some(({ id }) => id === follower.owner_id);
  const name = labelOf(controller, record);
  const kind = isNamed ? "mention" : "comment";
  const text = (key: string, vars: object) => application.texts?.t(`comments.${key}`, vars as never, locale) ?? key;
  const title = text(`notified.${kind}`, { person: comment.author_label, name });
  const path = `${controller.urlFor(record)}#comment-${comment.id}`;
  await store.database.transaction(async (transaction) => {
    await notifications?.send(
      account as never,
      { title, body: comment.text.slice(0, 300), url: path },
      { transaction, tenant },
    );
    if (!mailer || typeof email !== "string" || mails === false || (mails === "mentions" && !isNamed)) return;
    const url = path.startsWith("/") ? `${publicOrigin(request)}${path}` : path;
    await mailer.deliver({
      to: email,
      names: ["comments/mailer/comment"],
      subject: title,
      locale,
      timeZone: zoneOf(time_zone),
      tenant,
      locals: { text: textOf(comment), plain: comment.text, url, label: name },
      transaction,
    });
  });
}
