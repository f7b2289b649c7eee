import { networkOf } from "framewright/host";
import type { AuthlibBase } from "../../base.ts";
import { describeAgent } from "../active_sessions/agents.ts";

const table = "known_devices";
const YEAR_MS = 365 * 86_400_000;
/** The most rows per account: the latest used. */
const MAX_ROWS = 100;

/**
 * The devices that an account has signed in from, recognized by a cookie that survives a sign-out, or by browser and
 * network. Stores digests that differ by account.
 */
export class KnownDevices {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  /** Records a sign-in; returns whether its device is new. The first sign-in of an account is not. */
  async isNew(account: { id: number }): Promise<boolean> {
    const { digests, database } = this.#authlib.type.services;
    const rows = await database.rows(this.#rows.where({ account_id: account.id }).orderBy("last_use", "desc"));
    const known = new Set(rows.map(({ device_digest }) => device_digest));
    const marks = this.#marks().map((mark) => `device ${this.#authlib.type.name} ${account.id} ${mark}`);
    const isKnown = marks.some((mark) => digests.all(mark).some((digest) => known.has(digest)));
    const now = new Date();
    const stored = marks.map((mark) => ({
      account_id: account.id,
      device_digest: digests.digest(mark),
      created_at: now,
      last_use: now,
    }));
    await this.#rows.insert(stored).onConflict(["account_id", "device_digest"]).merge(["last_use"]);
    const surplus = rows.slice(MAX_ROWS - stored.length).map(({ id }) => id as number);
    await this.#rows
      .where({ account_id: account.id })
      .where((any) => any.whereIn("id", surplus).orWhere("last_use", "<", new Date(now.getTime() - YEAR_MS)))
      .delete();
    return rows.length > 0 && !isKnown;
  }

  /** The marks of this request's device: its cookie, which is set here, and its browser with its network. */
  #marks(): string[] {
    const { request, keepsSession, wantsJson, type } = this.#authlib;
    const agent = request.header("user-agent") ?? "";
    const place = `at ${describeAgent(agent) ?? agent.slice(0, 255)} ${networkOf(request.address)}`;
    if (!keepsSession || (wantsJson && !request.carriesSession)) return [place];
    const name = `fw_${type.name}_device`;
    const token = request.cookie(name)?.slice(0, 100) || type.services.digests.token();
    request.setCookie(name, token, YEAR_MS / 1000);
    return [`by ${token}`, place];
  }
  get #rows() {
    return this.#authlib.knex(this.#authlib.type.table(table));
  }
}
