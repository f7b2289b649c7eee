import {
  type ApplicationContext,
  currentOrigin,
  type FieldErrors,
  loggedPath,
  type Reply,
  type RequestContext,
} from "framewright/host";
import { FramewrightError, type TapCall } from "framewright/kernel";
import type { Knex } from "framewright/plugins/database";
import type { PolicyDecision } from "framewright/plugins/resources";
import type { RenderedTemplate } from "framewright/plugins/views";
import { shownSql, shownValues } from "./bindings.ts";
import { callerIn } from "./caller.ts";
import { described } from "./decisions.ts";
import type { RecordedRequest } from "./recorded_request.ts";
import { Recording, type ReportedQuery } from "./recording.ts";
import { rowsOf } from "./rows.ts";
import { scrub, secretsOf, shownText } from "./secrets.ts";
import { targetOf } from "./target.ts";

/** The framework's own pages of development: what they do is not recorded. */
const isOwn = ({ path, settings }: RequestContext): boolean => `${path}/`.startsWith(`${settings.basePath}/_fw/`);
const levels: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
const MAX_PARAMS = 20;
const MAX_PATH_CHARS = 300;

/**
 * Records what requests do. Whatever is reported is of the request that the code runs for, which Node's
 * AsyncLocalStorage knows: requests that overlap do not mix.
 */
export class Recorder {
  /** Names of columns whose values are not shown. */
  secretColumns: ReadonlySet<string> = new Set();
  readonly #application: ApplicationContext;
  readonly #size: number;
  readonly #kept: RecordedRequest[] = [];
  readonly #running = new WeakMap<RequestContext, Recording>();
  #count = 0;

  /** `size`: how many requests are stored. */
  constructor(size: number, application: ApplicationContext) {
    this.#size = size;
    this.#application = application;
  }

  /** The latest first. */
  get requests(): readonly RecordedRequest[] {
    return this.#kept.toReversed();
  }
  find(id: string): RecordedRequest | undefined {
    return this.#kept.find((one) => String(one.id) === id);
  }

  begin(request: RequestContext): undefined {
    this.#of(request);
  }
  /** The reply is complete: keeps what was recorded, in place of the oldest. The reply names the page that shows it. */
  finish(request: RequestContext, reply: Reply): void {
    const recording = this.#of(request);
    if (!recording || recording.isFinished) return;
    recording.isFinished = true;
    const id = ++this.#count;
    this.#kept.push(this.#finished(id, recording, request, reply));
    if (this.#kept.length > this.#size) this.#kept.shift();
    reply.headers["x-fw-request"] = `${request.settings.basePath}/_fw/requests/${id}`;
  }

  failed(error: Error, request: RequestContext): undefined {
    const { fields = {} } = error as { fields?: FieldErrors };
    this.#of(request)?.setError({
      name: error.name,
      message: error.message,
      stack: stackOf(error),
      code: error instanceof FramewrightError ? error.code : undefined,
      fields: Object.entries(fields).map(([name, problems]) => `${name}: ${[problems].flat().join(", ")}`),
    });
  }
  decided(decision: PolicyDecision, request: RequestContext): void {
    this.#running.get(request)?.addDecision(described(decision, this.#application.constants));
  }
  tapped({ hook, plugin, milliseconds }: TapCall): void {
    if (plugin !== "inspector") this.#current?.addCall(hook, plugin, milliseconds);
  }
  rendered(template: RenderedTemplate): void {
    this.#current?.addTemplate(template);
  }
  handedOut(table: string): void {
    this.#current?.handedOut(table, callerIn(this.#application.settings.root));
  }
  logged(line: string): void {
    const recording = this.#current;
    if (!recording) return;
    const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
    recording.addLine({ level: levels[level] ?? String(level), text: msg ?? err?.message ?? "" });
  }

  /** Records the statements of a database; the latest recording that a statement began in gets its end, too. */
  watch(knex: Knex | undefined): void {
    const { root } = this.#application.settings;
    knex?.on("query", (query: ReportedQuery) => {
      this.#current?.sent(query, () => ({
        sql: shownSql(query.sql),
        values: shownValues(query.sql, Array.isArray(query.bindings) ? query.bindings : [], this.secretColumns),
        caller: callerIn(root),
      }));
    });
    knex?.on("query-response", (response: unknown, query: ReportedQuery) =>
      this.#current?.ended(query, { rows: rowsOf(response, query) }),
    );
    knex?.on("query-error", (error: Error, query: ReportedQuery) =>
      this.#current?.ended(query, { failure: failureOf(error) }),
    );
  }

  /** What is recorded of the request that the code runs for; what goes on after its reply is not. */
  get #current(): Recording | undefined {
    const request = currentOrigin()?.request;
    const recording = request && this.#running.get(request);
    return recording?.isFinished ? undefined : recording;
  }
  #of(request: RequestContext): Recording | undefined {
    if (isOwn(request)) return undefined;
    const recording = this.#running.get(request) ?? new Recording();
    this.#running.set(request, recording);
    return recording;
  }

  #finished(id: number, recording: Recording, request: RequestContext, reply: Reply): RecordedRequest {
    const secrets = secretsOf(request);
    const clean = (text: string) => scrub(text, secrets);
    const { at, hooks, decisions, templates, dropped, error } = recording;
    return {
      id,
      at,
      hooks,
      templates,
      dropped,
      decisions: decisions.map((one) => ({ ...one, why: clean(one.why) })),
      method: request.method,
      path: clean(loggedPath(request)).slice(0, MAX_PATH_CHARS),
      query: queryOf(request, clean),
      status: reply.status,
      milliseconds: performance.now() - request.startedAt,
      type: String(reply.headers["content-type"] ?? "").split(";")[0]!,
      target: targetOf(request),
      error: error && {
        name: error.name,
        code: error.code,
        message: clean(error.message),
        stack: clean(error.stack),
        fields: error.fields.map(clean),
      },
      statements: recording.statements.map((one) => ({
        ...one,
        sql: clean(one.sql),
        values: one.values.map(clean),
        failure: one.failure && clean(one.failure),
      })),
      log: recording.log.map((one) => ({ ...one, text: clean(one.text) })),
    };
  }
}

/** What the database reported, without the statement before it and the values in it. */
const failureOf = ({ message }: Error): string =>
  message
    .slice(message.lastIndexOf(" - ") + 1)
    .replace(/'[^']*'/g, (quoted) => `'${shownText("", quoted.slice(1, -1))}'`)
    .slice(0, 300);

function queryOf({ search }: RequestContext, clean: (text: string) => string): [string, string][] {
  const pairs = [...new URLSearchParams(search)].slice(0, MAX_PARAMS);
  return pairs.map(([name, value]) => [clean(name).slice(0, 60), clean(shownText(name, value))]);
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\n\ncaused by ${stackOf(error.cause)}` : "";
  return (error.stack ?? error.message) + cause;
}
