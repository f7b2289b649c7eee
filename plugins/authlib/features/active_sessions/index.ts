import type { Reply } from "framewright/host";
import type { AccountLine } from "../../account_sections.ts";
import { readSignIn, type SignIn } from "../../core/sign_in.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { describeAgent } from "./agents.ts";

const table = "active_session_keys";
/** The most sessions that are listed. */
const MAX_SESSIONS = 100;

/** A session of an account, for its pages. It never contains the session's key. */
export interface ListedSession {
  id: number;
  /** Whether it is the session of the request. */
  current: boolean;
  state: "active" | "incomplete" | "remembered";
  /** What is pending in an incomplete one. */
  pending?: SignIn["pending"];
  /** "Firefox, Linux" */
  device: string;
  /** The address of the network that it was opened from. */
  address: string;
  created_at: Date;
  last_use: Date;
}
/** What the feature `active_sessions` adds. */
export interface ActiveSessionsSteps {
  sessionsPage(): Promise<Reply>;
  submitSessions(): Promise<Reply>;
  /** The sessions of `this.account` that have not ended, the last used first. */
  listSessions(limit?: number): Promise<ListedSession[]>;
}

/** Lists the account's sessions: `GET /users/sessions`; `POST` ends one (`id`), the others (`all=others`) or all (`all=all`). */
export function activeSessions() {
  return defineFeature<ActiveSessionsSteps>({
    name: "active_sessions",
    directory: import.meta.dirname,
    requires: ["login"],
    routes: [...form("sessions", "account", { page: false })],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithSessions extends Base {
    async sessionsPage(): Promise<Reply> {
      const data = await this.listSessions();
      if (this.wantsJson) return this.controller.json({ data });
      return this.page("sessions", { sessions: data, csrf: this.csrf("sessions") });
    }
    async submitSessions(): Promise<Reply> {
      const all = this.param("all");
      if (all === "others" || all === "all") return this.#endAll(all === "others");
      const id = String(this.request.body.get("id") ?? "");
      if (!/^[1-9]\d{0,15}$/.test(id))
        return this.refuse("sessions", { fields: { id: [this.t("blank")] }, locals: await this.#locals() });
      if (Number(id) === this.signIn!.id) {
        await this.closeSession();
        return this.done(this.t("sessions.ended"), this.type.path("login"));
      }
      if (await this.endSession(Number(id))) await this.emitEvent("sessions_revoked", { which: "one" });
      return this.done(this.t("sessions.ended"), this.type.path("sessions"));
    }

    override async accountLines(): Promise<AccountLine[]> {
      const list = await this.listSessions();
      const current = list.find((one) => one.current);
      const incomplete = list.filter((one) => one.state === "incomplete" && !one.current).length;
      const others = list.filter((one) => !one.current).length - incomplete;
      const line = (name: string, text: string, more: Partial<AccountLine> = {}): AccountLine => {
        const label = this.t(`account.session_${name}`);
        return { section: "devices", name: `session_${name}`, label, text, ...more };
      };
      const text = (name: string, count: number) => this.t(`account.session_${name}_text`, { count });
      const link = { page: "sessions", action: this.t("account.session_see") };
      const half = { level: "warning", state: this.t("account.session_look"), ...link } as const;
      return [
        ...(await super.accountLines()),
        ...(current ? [line("current", `${current.device} · ${current.address}`)] : []),
        line("others", text("others", others), link),
        ...(incomplete > 0 ? [line("half", text("half", incomplete), half)] : []),
      ];
    }

    async #endAll(keepsThis: boolean): Promise<Reply> {
      const account = this.account!;
      await this.transaction((trx) => this.killCredentials(account, trx, keepsThis ? this.signIn : undefined));
      await this.emitEvent("sessions_revoked", { which: keepsThis ? "others" : "all" });
      if (!keepsThis) this.forgetSession();
      else if (this.request.bearer === undefined) await this.renewSession(this.signIn!.factors); // revokes copies of the cookie
      return this.done(this.t("sessions.all_ended"), this.type.path(keepsThis ? "sessions" : "login"));
    }
    async #locals() {
      return { sessions: await this.listSessions(), csrf: this.csrf("sessions") };
    }
    async listSessions(limit = MAX_SESSIONS): Promise<ListedSession[]> {
      const query = this.knex(this.type.table(table))
        .where({ account_id: this.account!.id })
        .orderBy("last_use", "desc");
      const rows = await this.type.services.database.rows(query.limit(limit));
      const known = await this.#rememberedKeys();
      return rows.flatMap((row) => {
        const signIn = readSignIn(row);
        const state = this.#stateOf(signIn, known);
        return state === undefined ? [] : [this.#entry(row, signIn, state)];
      });
    }
    #entry(
      row: Record<string, unknown>,
      { id, pending, createdAt, lastUse }: SignIn,
      state: ListedSession["state"],
    ): ListedSession {
      return {
        id,
        current: id === this.signIn?.id,
        state,
        ...(state === "incomplete" ? { pending } : {}),
        device: describeAgent(String(row.user_agent ?? "")) ?? this.t("sessions.unknown_device"),
        address: String(row.address ?? ""),
        created_at: createdAt,
        last_use: lastUse,
      };
    }
    /** The state of a sign-in on the page; undefined for one that has ended. */
    #stateOf(signIn: SignIn, remembered: ReadonlySet<number>): ListedSession["state"] | undefined {
      if (this.isAlive(signIn)) return signIn.pending === undefined ? "active" : "incomplete";
      return signIn.rememberKeyId !== undefined && remembered.has(signIn.rememberKeyId) ? "remembered" : undefined;
    }
    /** The ids of the keys of remembered devices. */
    async #rememberedKeys(): Promise<ReadonlySet<number>> {
      if (!this.type.has("remember")) return new Set();
      const keys = this.knex(this.type.table("remember_keys")).where({ account_id: this.account!.id });
      const rows = await this.type.services.database.rows(keys.where("deadline", ">", new Date()).select("id"));
      return new Set(rows.map(({ id }) => Number(id)));
    }
  };
}
