import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { type Application, headerToken, Reply, RequestContext } from "framewright/host";
import type { AccountRecord, AccountType } from "framewright/plugins/authlib";
import type { BaseModel } from "framewright/plugins/database";
import type { Recorder } from "./recorder.ts";

type Headers = Record<string, string>;
/** A request to be sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: string;
}
/** An answer with everything in it as text. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: string;
  readonly location: string | undefined;
}

/** A person's browser: keeps its cookies, and sends the token that unsafe requests need. */
export class Visitor {
  readonly #application: Application;
  readonly #headers: Headers;
  readonly #cookies = new Map<string, string>();

  constructor(application: Application, headers: Headers = {}) {
    this.#application = application;
    this.#headers = headers;
  }

  /** A browser with a session; signed in where an account type is given. */
  static async open(
    application: Application,
    recorder: Recorder,
    who?: { record: BaseModel; type: AccountType | undefined; key: string },
  ): Promise<Visitor> {
    const request = new RequestContext(application, incoming({ method: "POST", url: "/" }, {}));
    if (who?.type) await signIn(request, who.type, who.record as AccountRecord);
    const headers: Headers = { "x-csrf-token": headerToken(request.session) };
    if (who && !who.type) {
      recorder.people.set(who.key, who.record);
      headers[recorder.header] = who.key;
    }
    const visitor = new Visitor(application, headers);
    if (application.kernel.has("sessions")) {
      const line = await application.kernel.service("sessions").save(request.session, request);
      if (line !== undefined) visitor.#keep(line);
    }
    return visitor;
  }

  async send(sent: Sent, more: Headers = {}): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...this.#headers, ...more, ...(cookie ? { cookie } : {}) };
    const reply = await inTime(this.#application.answer(incoming(sent, headers)));
    for (const line of [reply.headers["set-cookie"] ?? []].flat()) this.#keep(line);
    return answerOf(reply);
  }

  #keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value) this.#cookies.set(name, value);
  }
}

const TIMEOUT_MS = 20_000;

/** An answer that does not come is one of status 504. Timers and signals get their turn, which an embedded database may never give them. */
async function inTime(answer: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => resolve(new Reply(504, "no answer in time")), TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function answerOf(reply: Reply): Answer {
  const { "set-cookie": _, ...headers } = reply.headers; // sealed
  const location = headers.location === undefined ? undefined : String(headers.location);
  const text = typeof reply.body === "string" ? reply.body : reply.body.toString("latin1");
  return { status: reply.status, text, headers: JSON.stringify(headers), location };
}

/** As the account type's own login does once a password was right. */
async function signIn(request: RequestContext, type: AccountType, record: AccountRecord): Promise<void> {
  const authlib = new type.class(request, type);
  authlib.keepSession(await authlib.openSession(record, ["password"]));
}

/** A request that comes by no socket. */
function incoming({ method, url, accept = "text/html", type, body }: Sent, given: Headers): IncomingMessage {
  const headers: Headers = { host: "127.0.0.1", accept, ...given };
  if (body !== undefined)
    Object.assign(headers, { "content-type": type, "content-length": String(Buffer.byteLength(body)) });
  const stream = Readable.from(body === undefined ? [] : [Buffer.from(body)], { objectMode: false });
  const socket = { remoteAddress: "127.0.0.1" };
  const rawHeaders = Object.entries(headers).flat();
  return Object.assign(stream, {
    method,
    url,
    headers,
    rawHeaders,
    socket,
    complete: true,
    httpVersion: "1.1",
  }) as never;
}
