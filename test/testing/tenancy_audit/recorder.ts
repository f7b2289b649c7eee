import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import type { Application, BaseController, ControllerClass } from "framewright/host";
import { definePlugin, type Plugin, SyncHook } from "framewright/kernel";
import { type BaseModel, type ConnectionOptions, connect } from "framewright/plugins/database";
import type { JobInfo, Jobs } from "framewright/plugins/jobs";
import type {} from "framewright/plugins/mailer";
import type { ScopeRule, TenantStrategy } from "framewright/plugins/scoping";

/** Statements that change nothing; any other may, also by a trigger. */
const READS = /^\s*(?:select|pragma|explain|show|begin|commit|rollback|savepoint|release|start|set)\b/i;

/** What an application does besides its answers, since the last `clear`. Nothing of it leaves the process. */
export class Recorder {
  /** The name of the header that names a person, for portals whose own authentication the audit can't pass. */
  readonly header = `x-fw-audit-${randomBytes(8).toString("hex")}`;
  /** The name of the header that names a tenant, for portals that find it by a method. */
  readonly tenantHeader = `x-fw-audit-tenant-${randomBytes(8).toString("hex")}`;
  readonly people = new Map<string, BaseModel>();
  readonly tenants = new Map<string, BaseModel>();
  /** The portals that decide with a method of their own who may enter a tenant. */
  readonly ownEntry = new Set<string>();
  #jobs: string[] = [];
  #logs: string[] = [];
  #hasWritten = false;

  clear(): void {
    this.#jobs = [];
    this.#logs = [];
    this.#hasWritten = false;
  }
  /** Whether a statement ran that may have changed rows: only then they are compared, which takes most of the time. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }
  addStatement(sql: string): void {
    this.#hasWritten ||= !READS.test(sql);
  }
  addJob(kind: string, payload: object): void {
    this.#jobs.push(`${kind} ${JSON.stringify(payload)}`);
  }
  addLog(values: readonly unknown[]): void {
    this.#logs.push(
      values.map((value) => (typeof value === "string" ? value : inspect(value, { depth: 6 }))).join(" "),
    );
  }
  /** The first line of what was logged last. */
  get lastLog(): string | undefined {
    return this.#logs
      .at(-1)
      ?.match(/message: '([^'\n]*)|\w.*/)?.[0]
      .slice(0, 200);
  }
  /** What was recorded, by what it is. */
  texts(application: Application): { what: string; text: string }[] {
    const mails = application.kernel.has("mailer") ? application.kernel.service("mailer").kept : [];
    return [
      { what: "a job's payload or a mail", text: this.#jobs.join("\n") },
      { what: "a mail", text: JSON.stringify(mails) },
      { what: "the log", text: this.#logs.join("\n") },
    ];
  }
}

/** Connects the application to the copy, and finds people and tenants by the recorder's headers. */
export function auditPlugin(recorder: Recorder, connection: ConnectionOptions): Plugin {
  return definePlugin({
    name: "tenancy audit",
    requires: ["host", "database"],
    apply({ services, hooks, onClose }) {
      const { host, database } = services;
      hooks.database.connect.tap({ name: "tenancy audit", stage: -1000 }, () => connect(connection));
      hooks.kernel.configure.tapPromise("tenancy audit", async () => void (await database.migrations.up()));
      hooks.kernel.ready.tap("tenancy audit", () => {
        database.knex.on("query", ({ sql }: { sql: string }) => recorder.addStatement(sql));
      });
      hooks.kernel.authenticate.tap({ name: "tenancy audit", stage: -1000 }, (request) =>
        recorder.people.get(request.header(recorder.header) ?? ""),
      );
      hooks.host.compile.tap("tenancy audit", ({ engine, controller }) => {
        const rule = services.scoping?.ruleOf(engine);
        if (rule && "authorizeEntity" in controller.prototype) recorder.ownEntry.add(rule.engine.name);
        if (rule?.registered) findByHeaderToo(recorder, rule, onClose);
        else if (rule && rule.parameter === undefined) findTenantByHeader(recorder, controller, rule.strategy, onClose);
      });
      for (const level of ["trace", "debug", "info", "warn", "error", "fatal"] as const)
        host.log[level] = (...values: unknown[]) => recorder.addLog(values);
    },
  });
}

/** Lets a method that finds a request's tenant find the one that the header names; membership is decided as ever. */
function findTenantByHeader(
  recorder: Recorder,
  controller: ControllerClass,
  method: string,
  onClose: (undo: () => void) => void,
): void {
  const prototype = controller.prototype as unknown as Record<string, unknown>;
  const original = prototype[method] as ((this: BaseController) => unknown) | undefined;
  if (typeof original !== "function" || (original as { audited?: Recorder }).audited === recorder) return;
  function find(this: BaseController): unknown {
    return recorder.tenants.get(this.request.header(recorder.tenantHeader) ?? "") ?? original!.call(this);
  }
  find.audited = recorder;
  const own = Object.getOwnPropertyDescriptor(prototype, method);
  Object.defineProperty(prototype, method, { value: find, configurable: true, writable: true });
  onClose(() => {
    if (own) Object.defineProperty(prototype, method, own);
    else Reflect.deleteProperty(prototype, method);
  });
}

/** The same for the strategy of a plugin. */
function findByHeaderToo(recorder: Recorder, rule: ScopeRule, onClose: (undo: () => void) => void): void {
  const { registered } = rule;
  if (!registered || audited.get(registered) === recorder) return;
  const replaced: TenantStrategy = {
    ...registered,
    find: (request, own) =>
      recorder.tenants.get(request.header(recorder.tenantHeader) ?? "") ?? registered.find(request, own),
  };
  audited.set(replaced, recorder);
  const set = (value: TenantStrategy) => Object.defineProperty(rule, "registered", { value, configurable: true });
  set(replaced);
  onClose(() => set(registered));
}
const audited = new WeakMap<TenantStrategy, Recorder>();

/** Takes the slot `jobs`: what is enqueued is recorded, and never runs. */
export function recordedJobs(recorder: Recorder): Plugin {
  return definePlugin({
    name: "jobs of the tenancy audit",
    provides: "jobs",
    hooks: () => ({ failed: new SyncHook<[JobInfo]>(["info"]) }),
    apply: () => {
      let count = 0;
      const service: Jobs = {
        define: () => undefined,
        enqueue: async (kind, payload) => {
          recorder.addJob(kind, payload);
          return ++count;
        },
        every: () => undefined,
        schedules: async () => [],
        list: async () => [],
        retry: async () => false,
        discard: async () => false,
        drain: async () => 0,
      };
      return service;
    },
  });
}
