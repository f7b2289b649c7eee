import { type Application, type BaseController, networkOf, Reply, RequestContext } from "framewright/host";
import type { ResourcePlace, ResourceRequest } from "framewright/plugins/resources";
import type { Scoping } from "framewright/plugins/scoping";
import { isFollowed, Topics } from "./followed.ts";
import type { Followers } from "./followers.ts";
import { LiveStream } from "./live_stream.ts";
import type { OpenStreams } from "./open_streams.ts";
import { accountOf } from "./topics.ts";

/** Below the address of a list, a record or a portal. */
export const PATH = "_live";
/** Seconds after which a browser that found too many streams may try again. */
const RETRY_AFTER = 30;
/** Marks a request that checks whether the person of a stream may see its page still. */
const IS_CHECK = Symbol("live.check");
/** Module-level: nothing of a request is in it. Thrown in place of an answer, so that nothing of such a request is stored: neither session nor cookies. */
const allowed = new Error("allowed");

interface Parts {
  readonly host: Application;
  readonly scoping: Scoping | undefined;
  readonly followers: Followers;
  readonly open: OpenStreams;
  readonly hasBell: boolean;
}

/** Draws the streams of lists, records and portals, and answers them. */
export class LiveRoutes {
  readonly #parts: Parts;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }
  /** Opens no streams any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** The streams of a resource in a place: of its list, of each of its records, and of their forms. */
  drawPlace({ about, base, member, single, draw }: ResourcePlace): void {
    if (!isFollowed(about.registration)) return;
    const drawn = single ? [] : [draw("GET", `${base}/${PATH}`, { action: this.followList, policy: "canIndex" })];
    if (!about.registration.model.key.isMissing)
      drawn.push(draw("GET", `${member}/${PATH}`, { action: this.followRecord, policy: "canShow" }));
    for (const { metadata } of drawn) metadata.guests = "refuse";
  }

  readonly followList = async (controller: ResourceRequest): Promise<Reply> => {
    await controller.authorizeAction("index");
    return this.#answer(controller, (topics) => topics.ofList(controller));
  };
  /** `?form=1`: the form of the record. */
  readonly followRecord = async (controller: ResourceRequest): Promise<Reply> => {
    const isForm = controller.request.query.get("form") === "1";
    const record = await controller.findRecord();
    controller.record = record;
    await controller.authorizeAction(isForm ? "edit" : "show", record);
    return this.#answer(controller, (topics) => topics.ofRecord(controller, record, isForm));
  };
  /** The bell alone, on pages that follow nothing else. */
  readonly followBell = async (controller: BaseController): Promise<Reply> =>
    this.#answer(controller, (topics) => topics);

  #answer(controller: BaseController, add: (topics: Topics) => Topics): Reply {
    const { request, currentUser } = controller;
    if (request.locals[IS_CHECK] === true) throw allowed;
    if (!request.isUnattended) return new Reply(406, "", { vary: "accept" });
    if (this.#isClosed) return tooMany();
    if (request.raw.method === "HEAD") return streamReply();
    const { scoping, hasBell, followers, open } = this.#parts;
    const address = networkOf(request.address);
    const account = accountOf(currentUser);
    const release = open.open(account ? `${account.table} ${account.id}` : address, address);
    if (!release) return tooMany();
    const { all: topics } = add(new Topics(scoping));
    if (hasBell) for (const [topic, part] of new Topics(scoping).ofAccount(currentUser).all) topics.set(topic, part);
    const given = Number(request.query.string("at") ?? Number.NaN);
    const since = Number.isFinite(given) ? Math.min(given, Date.now()) : Date.now();
    const changed = followers.changedSince(topics, since);
    const closed = () => {
      release();
      followers.remove(stream);
    };
    const stream = new LiveStream({
      request,
      topics,
      since,
      changed,
      isAllowed: () => this.#isAllowed(request),
      closed,
    });
    followers.add(stream);
    if (request.raw.socket.destroyed) stream.end();
    request.controller = undefined; // it has the record and all that was loaded for it: a stream lasts long
    const reply = streamReply();
    reply.stream = stream;
    return reply;
  }

  /**
   * Goes the whole way of the request again: session, account, tenant, before-actions, policy, record. False where that is
   * refused; undefined where it can't be known, as without the database.
   */
  async #isAllowed({ raw }: RequestContext): Promise<boolean | undefined> {
    const { host } = this.#parts;
    try {
      const request = new RequestContext(host, raw);
      request.locals[IS_CHECK] = true;
      await host.respond(request);
      return false; // a page of sign-in, or what else comes before it
    } catch (error) {
      if (error === allowed) return true;
      const { status } = error as { status?: unknown };
      return typeof status === "number" && status < 500 ? false : undefined;
    }
  }
}

const tooMany = (): Reply => new Reply(503, "", { "retry-after": String(RETRY_AFTER), "cache-control": "no-store" });

/** Nothing between here and the browser is to keep, change or gather what is sent. */
const streamReply = (): Reply =>
  new Reply(200, "", {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
