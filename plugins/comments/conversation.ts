import { notFound } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { rowOwner } from "framewright/plugins/portals";
import type { ResourceRequest } from "framewright/plugins/resources";
import { type Rights, rightsOf, subjectOf, visibleTo } from "./access.ts";
import type { StoredComment } from "./contract.ts";
import type { Reader } from "./draw.ts";
import type { CommentStore, Follower } from "./store.ts";

/** The comments on a record, for somebody who may see them. */
export class Conversation implements Reader {
  readonly record: BaseModel;
  readonly rights: Rights;
  readonly person: Reader["person"];
  readonly #controller: ResourceRequest;
  readonly #store: CommentStore;
  readonly #follower: Follower | undefined;

  constructor(
    store: CommentStore,
    controller: ResourceRequest,
    { record, rights, person, follower }: Pick<Conversation, "record" | "rights" | "person"> & { follower?: Follower },
  ) {
    this.#store = store;
    this.#controller = controller;
    this.record = record;
    this.rights = rights;
    this.person = person;
    this.#follower = follower?.active ? follower : undefined;
  }

  get seen(): Date | undefined {
    return this.#follower?.seen_at;
  }

  /** Comments in the order in which they were written: the newest, or those before one; `more`: whether there are older ones. */
  async read(limit: number, from?: StoredComment): Promise<{ comments: StoredComment[]; more: boolean }> {
    const before = from && { at: from.created_at, id: from.id };
    const found = await this.#store.newest(visibleTo(this.#controller, this.record, this.rights), limit + 1, before);
    return { comments: found.slice(0, limit).reverse(), more: found.length > limit };
  }
  /** The comment with this id. @throws HttpError 404 */
  async find(id: number | undefined): Promise<StoredComment> {
    const visible = visibleTo(this.#controller, this.record, this.rights);
    const found = id === undefined ? undefined : await this.#store.find(visible, id);
    if (!found) throw notFound();
    return found;
  }
  /** A page with these comments is drawn: they are no longer new to a follower. */
  async markSeen(comments: readonly StoredComment[]): Promise<void> {
    const last = comments.at(-1)?.created_at;
    if (!this.#follower || last === undefined || last <= this.#follower.seen_at) return;
    if (!this.#controller.request.isSpeculative) await this.#store.see(this.#follower, last);
  }
}

/** The comments on the record that the path names, if the person may see them. @throws HttpError 404 */
export async function openConversation(store: CommentStore, controller: ResourceRequest): Promise<Conversation> {
  const record = await controller.findRecord();
  controller.record = record;
  await controller.authorizeAction("show", record);
  const rights = rightsOf(controller, controller.registration, record);
  if (!rights) throw notFound();
  return conversationOn(store, controller, record, rights);
}

export async function conversationOn(
  store: CommentStore,
  controller: ResourceRequest,
  record: BaseModel,
  rights: Rights,
): Promise<Conversation> {
  const { resource: _, ...person } = rowOwner(controller, controller.registration.constant);
  const follower = await store.follower(subjectOf(record), person);
  return new Conversation(store, controller, { record, rights, person, ...(follower ? { follower } : {}) });
}
