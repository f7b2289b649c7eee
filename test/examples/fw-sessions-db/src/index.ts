import { join } from "node:path";
import { Session } from "framewright/host";
import { definePlugin, option } from "framewright/kernel";
import { isTableMissing } from "framewright/plugins/database";
import type {} from "framewright/plugins/sessions";
import { newToken, type SessionRow, SessionStore } from "./store.ts";

const DAY_MS = 86_400_000;
const SWEEP_MS = 3_600_000;
/** Where a request keeps the row that its cookie named. */
const ROW = Symbol("fw-sessions-db");

/** Sessions as rows, for any amount of data: `sessionsDb({ idle: 86_400_000 })` in place of `sessions()`. */
export const sessionsDb = definePlugin({
  name: "fw-sessions-db",
  directory: join(import.meta.dirname, ".."),
  options: {
    /** Milliseconds without a request after which a session ends; 14 days unless given. */
    idle: option.number,
    /** Milliseconds after its start at which a session ends in any case; 60 days unless given. */
    absolute: option.number,
  },
  requires: ["host", "database"],
  provides: "sessions",
  replaces: true,
  apply({ services: { host, database }, settings, hooks, options, onClose }) {
    const { idle = 14 * DAY_MS, absolute = 60 * DAY_MS } = options;
    const store = new SessionStore(database, { idle, absolute });
    const name = `${settings.cookies.prefix}fw_sid`;
    const attributes = `; Max-Age=${Math.floor(absolute / 1000)}; Path=${settings.cookies.path}; HttpOnly${settings.secureCookies ? "; Secure" : ""}; SameSite=Lax`;
    const rowOf = (locals: Record<string | symbol, unknown>): SessionRow | undefined => {
      const row = locals[ROW];
      return isRow(row) ? row : undefined;
    };
    const sweep = () =>
      store.sweep().catch((error: unknown) => {
        if (!isTableMissing(error)) host.log.warn({ err: error }, "old sessions could not be removed");
      });
    hooks.kernel?.ready.tapPromise("fw-sessions-db", sweep);
    const timer = setInterval(() => void sweep(), SWEEP_MS).unref();
    onClose(() => clearInterval(timer));
    return {
      cookieNames: [name],
      async open({ cookies, locals }) {
        const row = await store.find(cookies[name]);
        locals[ROW] = row;
        const session = new Session(() => row && { ...row.data });
        if (row && Date.now() - row.seenAt > idle / 20) session.touch(); // an active session must not expire as idle
        return session;
      },
      async save(session, { locals }) {
        const row = rowOf(locals);
        const data = session.toJSON();
        // Another id than before: a sign-in. Whoever knew the token of before must not come in with it.
        const token = row && row.data.id === data.id ? row.token : newToken();
        await store.save(token, data, row);
        return `${name}=${token}${attributes}`;
      },
    };
  },
});

const isRow = (value: unknown): value is SessionRow =>
  typeof value === "object" && value !== null && "token" in value && "seenAt" in value;
