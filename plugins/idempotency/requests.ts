import { createHash } from "node:crypto";
import type { BaseController, Reply, RequestContext } from "framewright/host";
import type {} from "framewright/plugins/api_keys";
import type { BaseModel, Database } from "framewright/plugins/database";
import { accountId, rowOwner } from "framewright/plugins/portals";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { RecordWriter } from "framewright/plugins/resources/toolkit";
import { keyRefused, keyReused, stillRunning } from "./errors.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { replay } from "./replay.ts";
import type { IdempotencyStore, Spot, StoredAnswer } from "./store.ts";

const HEADER = "idempotency-key";
const KEY = /^[\x21-\x7E][\x20-\x7E]{0,254}$/;
/** Of an answer what is sent again. */
const HEADERS = ["content-type", "location", "etag", "link", "preference-applied"];
/** Within which a record that is committed is answered, unless the process has ended. */
const ANSWER_MS = 3000;
/** Bytes of an answer that is stored. */
const MAX_BYTES = 256_000;

export interface IdempotentRequestsParts {
  readonly store: IdempotencyStore;
  readonly database: Database;
  /** Milliseconds after which a request that is not answered belongs to a process that has ended. */
  readonly lease: number;
}
/** The first request with a key, while it runs. */
interface Attempt {
  readonly spot: Spot;
  readonly id: string;
  /** The key of the record that it has created. */
  record?: string;
}

/** Requests that come with a key: the first is carried out, the others get its answer. */
export class IdempotentRequests {
  readonly #parts: IdempotentRequestsParts;
  readonly #attempts = new WeakMap<RequestContext, Attempt>();

  constructor(parts: IdempotentRequestsParts) {
    this.#parts = parts;
  }

  /** Lets the first request with a key pass, and answers others. @throws HttpError 400, 409, 422 */
  enter(controller: BaseController): Promise<void> | undefined {
    const { request, currentUser } = controller;
    if (request.method !== "POST" || request.header(HEADER) === undefined) return undefined;
    if (request.format !== "json" || request.isBackground || accountId(currentUser) === undefined) return undefined;
    return this.#enter(controller);
  }

  async #enter(controller: BaseController): Promise<void> {
    const { request } = controller;
    const { store, lease } = this.#parts;
    const spot = spotOf(controller);
    const fingerprint = await fingerprintOf(request);
    const now = new Date();
    let id = await store.begin(spot, fingerprint, now);
    if (id === undefined) {
      const first = await store.find(spot);
      if (!first) throw stillRunning(); // it has failed just now
      if (first.fingerprint !== fingerprint) throw keyReused();
      const age = now.getTime() - first.started_at.getTime();
      if (first.state === "answered" || (first.state === "stored" && age > ANSWER_MS))
        return replay(controller, first.answer);
      id = first.state === "running" && age > lease ? await store.replace(spot, first.attempt, now) : undefined;
      if (id === undefined) throw stillRunning();
    }
    this.#attempts.set(request, { spot, id });
  }

  /** A record is about to be created: that the key was used is committed with it. */
  create(controller: ResourceRequest): void {
    const attempt = this.#attempts.get(controller.request);
    if (!attempt || controller.recordWriter) return;
    const { store, database } = this.#parts;
    const run: RecordWriter["run"] = (work, options) =>
      database.transaction(async (transaction) => {
        const written = await work(transaction);
        if (!("record" in written)) return written;
        const record = written.record as BaseModel;
        attempt.record = String(record.$id());
        const location = controller.urlFor(record);
        const answer = { status: 303, headers: { location }, body: "", record: attempt.record };
        if (!(await store.markStored(attempt.spot, attempt.id, answer, transaction))) throw stillRunning();
        return written;
      }, options);
    controller.recordWriter = { isUnchanged: false, run };
  }

  /** A request was answered, or failed: without an answer its key may be used again, unless it has written something. */
  async settle(request: RequestContext, reply: Reply | undefined): Promise<void> {
    const attempt = this.#attempts.get(request);
    if (!attempt) return;
    const { store } = this.#parts;
    if (reply && reply.status < 400) await store.answer(attempt.spot, attempt.id, answerOf(reply, attempt.record));
    else await store.forget(attempt.spot, attempt.id);
  }
}

/** Another API key of the same account may do other things: what one was answered is not for the other. */
const apiKeyOf = (request: RequestContext): string[] => {
  const grant = request.kernel.has("api_keys") ? request.kernel.service("api_keys").grantOf(request) : undefined;
  return grant ? [grant.id] : [];
};

function spotOf(controller: BaseController): Spot {
  const { request } = controller;
  const key = request.singleHeader(HEADER);
  if (key === undefined || !KEY.test(key)) throw keyRefused();
  const { owner_type, owner_id, portal, tenant } = rowOwner(controller, request.path);
  const parts = JSON.stringify([owner_type, owner_id, portal, tenant, request.path, key, ...apiKeyOf(request)]);
  return { spot: createHash("sha256").update(parts).digest("hex"), owner_type, owner_id, portal, tenant };
}

/** Undefined where it is too large, or sent in pieces. */
function answerOf({ status, headers, body, stream }: Reply, record: string | undefined): StoredAnswer | undefined {
  if (stream || body.length > MAX_BYTES) return undefined;
  const kept = HEADERS.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]] as const] : []));
  const known = record === undefined ? {} : { record };
  return { status, headers: Object.fromEntries(kept), body: body.toString(), ...known };
}
