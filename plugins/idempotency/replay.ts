import { type BaseController, HttpError, Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { isVisible } from "framewright/plugins/resources/toolkit";
import { answerLost } from "./errors.ts";
import type { StoredAnswer } from "./store.ts";

type Method = () => Promise<Reply | undefined>;

/**
 * Sends the first answer in the place of the action. The request is let in as any other, by the token and all that is checked
 * before an action; and the answer has nothing that the person may not read any more.
 * @throws HttpError 409 where it can't be sent
 */
export function replay(controller: BaseController, first: StoredAnswer | undefined): void {
  const { route } = controller.request;
  const resource = resourceOf(controller);
  const replace = (name: string, value: unknown) => Object.defineProperty(controller, name, { value });
  const answer: Method = async () => (resource ? answerNow(resource, first) : replyOf(first));
  if (resource)
    replace("enterCustom", async ({ placement }: { placement: string }) => {
      if (placement === "member") resource.record = await readable(resource); // what its action checks may be otherwise, now that it is done
    });
  if (typeof route?.action === "string") replace(route.action, answer);
  else if (!resource) controller.reply = replyOf(first);
  else {
    const enter = resource.enterResource.bind(resource);
    replace("enterResource", async () => {
      await enter();
      controller.reply = await answer();
    });
  }
}

function resourceOf(controller: BaseController): ResourceRequest | undefined {
  const { request } = controller;
  const isOfResource = request.route && request.kernel.service("resources").registry.routes.has(request.route);
  return isOfResource ? (controller as unknown as ResourceRequest) : undefined;
}

async function answerNow(controller: ResourceRequest, first: StoredAnswer | undefined): Promise<Reply> {
  const { route, routeParams } = controller.request;
  const several = first && createdIn(first);
  if (several) return answerOfSeveral(controller, first, several);
  if (first?.record !== undefined) return answerOfRecord(controller, first, first.record);
  if (route?.action === "runRecordAction") await readable(controller);
  if (route?.action === "runCollectionAction") {
    const key = routeParams.action_key ?? "";
    const { policy = key } = controller.registration.definition.actions.get(key) ?? {};
    await orLost(controller.authorizeAction(policy));
  }
  return replyOf(first);
}

type Created = Readonly<Record<string, unknown>>;
/** What an answer has of several records that were created at once; undefined for any other. */
function createdIn({ status, body }: StoredAnswer): Created[] | undefined {
  if (status !== 201 && status !== 207) return undefined;
  const { data } = (body.startsWith("{") ? JSON.parse(body) : {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const all = data as Created[];
  return status === 201 ? all : all.flatMap(({ data: created }) => (created ? [created as Created] : []));
}

/** What was answered of several, where the person may still read all of it. */
async function answerOfSeveral(controller: ResourceRequest, first: StoredAnswer, created: Created[]): Promise<Reply> {
  await orLost(controller.authorizeAction("create"));
  for (const shown of created) {
    const record = await findStored(controller, String(shown.id));
    if (!record || !(await isVisible(controller, record))) throw answerLost();
    await orLost(controller.authorizeAction("show", record));
    const now = controller.recordJson(await controller.reload(record));
    if (!Object.keys(shown).every((name) => name in now)) throw answerLost();
  }
  return replyOf(first);
}

async function findStored(controller: ResourceRequest, text: string): Promise<BaseModel | undefined> {
  const { model } = controller.registration;
  const key = model.key.parse(text);
  const query = key === undefined ? undefined : model.key.where(controller.query(model.class as never), key);
  return (await query?.first()) as BaseModel | undefined;
}

/** What was answered of a created record; the way to the record where the person may read less of it by now. */
async function answerOfRecord(controller: ResourceRequest, first: StoredAnswer, text: string): Promise<Reply> {
  const record = await findStored(controller, text);
  if (!record) throw answerLost();
  const { location } = first.headers;
  if (location !== undefined) {
    if (!(await isVisible(controller, record))) throw answerLost();
    await orLost(controller.authorizeAction("show", record));
  }
  const now = controller.recordJson(await controller.reload(record));
  if (shownIn(first).every((name) => name in now)) return replyOf(first);
  if (location === undefined) throw answerLost();
  return replyOf({ status: 303, headers: { location }, body: "" });
}

function shownIn({ body }: StoredAnswer): string[] {
  const { data } = (body.startsWith("{") ? JSON.parse(body) : {}) as { data?: unknown };
  return typeof data === "object" && data !== null ? Object.keys(data) : [];
}

/** The record that a request acts on, where the person may still see it. @throws HttpError 409 */
async function readable(controller: ResourceRequest): Promise<BaseModel> {
  const record = await orLost(controller.findRecord());
  await orLost(controller.authorizeAction("show", record));
  return record;
}
const orLost = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof HttpError && [403, 404].includes(error.status) ? answerLost() : error;
  });

/** @throws HttpError 409 for an answer that was too large to store */
function replyOf(answer: StoredAnswer | undefined): Reply {
  if (!answer) throw answerLost();
  return new Reply(answer.status, answer.body, { ...answer.headers, "idempotency-replayed": "true" });
}
