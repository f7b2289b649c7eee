import { AsyncSeriesBailHook, describe, messageOf } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import { withOrigin } from "../app/origin.ts";
import { errors } from "../errors.ts";
import { validateHeaderName, validateHeaderValue } from "../support/node_http.ts";
import { standardReply } from "./error_reply.ts";
import { copyOf, Reply } from "./reply.ts";
import type { RequestContext } from "./request.ts";

type Tap = (request: RequestContext) => unknown;

/** The hook `request`, whose taps answer with a Reply or not at all. */
export function requestHook(): AsyncSeriesBailHook<[request: RequestContext], Reply | undefined> {
  const hook = new AsyncSeriesBailHook<[request: RequestContext], Reply | undefined>(["request"]);
  hook.intercept({
    register: (tap) => {
      const call = tap.fn as Tap;
      const check = (answer: unknown) => ownReply(tap.name, answer);
      if (tap.type === "sync") return { ...tap, fn: checkedSync(call, check) };
      return tap.type === "promise"
        ? { ...tap, fn: async (request: RequestContext) => check(await call(request)) }
        : tap;
    },
  });
  return hook;
}

/** A promise is left to the kernel, which refuses it by name. */
const checkedSync = (call: Tap, check: (answer: unknown) => Reply | undefined) => (request: RequestContext) => {
  const answer = call(request);
  return answer instanceof Promise ? answer : check(answer);
};

function ownReply(plugin: string, answer: unknown): Reply | undefined {
  if (answer === undefined) return undefined;
  if (!(answer instanceof Reply)) throw errors.FW_REQUEST_ANSWER(plugin, describe(answer));
  return copyOf(answer);
}

/**
 * Lets plugins change a reply by the hook `reply`. Where a tap throws, or leaves what can't be sent, the error is the
 * reply: what a plugin was to add may be what makes the page safe.
 */
export function replyOfPlugins(application: ApplicationContext, reply: Reply, request: RequestContext): Reply {
  try {
    const call = () => application.hooks.reply.call(reply, request);
    if (application.tracksOrigins) withOrigin({ request }, call);
    else call();
    const problem = problemOf(reply);
    if (problem !== undefined) throw errors.FW_REPLY_INVALID(pluginsOf(application), problem);
    return reply;
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
    application.log.error({ err: error, request: request.id, trace: request.trace.traceId }, error.message);
    return standardReply(error, application, request);
  }
}

const pluginsOf = ({ kernel }: ApplicationContext) =>
  kernel.taps().flatMap(({ hook, plugin }) => (hook === "host.reply" ? [plugin] : []));

/** Why a reply can't be sent; undefined when it can. */
function problemOf({ status, body, headers }: Reply): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return "its status is not one from 200 to 599";
  if (typeof body !== "string" && !Buffer.isBuffer(body)) return `its body is ${describe(body)}`;
  for (const [name, value] of Object.entries(headers)) {
    if (name !== "content-length" && FRAMING.test(name)) return `the header ${name} is the server's to set`;
    if (!isHeader(name, value)) return `the header ${JSON.stringify(name)} is not valid`;
  }
  return undefined;
}

/** Headers by which a client finds the end of a reply. */
const FRAMING = /^(?:content-length|transfer-encoding)$/i;

function isHeader(name: string, value: unknown): boolean {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  try {
    validateHeaderName(name);
    for (const one of values) validateHeaderValue(name, one as string);
    return values.every((one) => typeof one === "string");
  } catch {
    return false;
  }
}
