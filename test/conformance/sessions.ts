// What every filler of the slot "sessions" must do. Uses node:assert alone, so that it runs under any test runner.
import assert from "node:assert/strict";
import type { RequestContext, Session } from "framewright/host";
import type { Sessions } from "framewright/plugins/sessions";

/** A browser that keeps what Set-Cookie says, and a request that brings it along. */
class Browser {
  readonly sessions: Sessions;
  cookies: Record<string, string | undefined> = {};

  constructor(sessions: Sessions) {
    this.sessions = sessions;
  }
  /** One request: opens the session, lets the story change it, and keeps what was written. */
  async visit<T>(story: (session: Session) => T): Promise<{ told: T; line: string | undefined }> {
    const request = { cookies: this.cookies, locals: {} } as unknown as RequestContext;
    const session = await this.sessions.open(request);
    const told = story(session);
    const line = session.changed ? await this.sessions.save(session, request) : undefined;
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line ?? "") ?? [];
    if (name !== undefined && value !== undefined) this.cookies = { ...this.cookies, [name]: value };
    return { told, line };
  }
}

export interface SessionsCheck {
  sentence: string;
  check(sessions: Sessions): Promise<void>;
}

export const sessionsConformance: readonly SessionsCheck[] = [
  {
    sentence: "A session value is there in the next request, under an HttpOnly cookie that cookieNames lists",
    async check(sessions) {
      const browser = new Browser(sessions);
      const { line } = await browser.visit((session) => session.set("seen", ["a", { b: 1 }]));
      assert.match(line ?? "", /HttpOnly/i);
      assert.match(line ?? "", /SameSite=Lax/i);
      assert.match(line ?? "", /Path=\//i);
      assert.ok(sessions.cookieNames.some((name) => line?.startsWith(`${name}=`)));
      const { told } = await browser.visit((session) => session.get("seen"));
      assert.deepEqual(told, ["a", { b: 1 }]);
    },
  },
  {
    sentence: "A change to a value that was read, without set, does not reach the next request",
    async check(sessions) {
      const browser = new Browser(sessions);
      await browser.visit((session) => session.set("basket", { things: ["a", { b: 1 }], n: null }));
      for (let turn = 0; turn < 2; turn++) {
        const { told } = await browser.visit((session) => {
          const basket = session.get("basket") as { things: unknown[]; n: unknown };
          const found = structuredClone(basket);
          (basket.things[1] as { b: number }).b = 2;
          basket.things.push("c");
          basket.n = "changed";
          return found;
        });
        assert.deepEqual(told, { things: ["a", { b: 1 }], n: null });
      }
    },
  },
  {
    sentence: "A missing, tampered or unknown cookie opens an empty session",
    async check(sessions) {
      const browser = new Browser(sessions);
      await browser.visit((session) => session.set("secret", "marked"));
      const [name = ""] = sessions.cookieNames;
      const cookie = browser.cookies[name] ?? "";
      const flipped = cookie.slice(0, -2) + (cookie.endsWith("AA") ? "BB" : "AA");
      for (const value of [undefined, "", "x", flipped, "A".repeat(cookie.length)]) {
        browser.cookies = { [name]: value };
        const { told } = await browser.visit((session) => session.get("secret"));
        assert.equal(told, undefined, String(value));
      }
    },
  },
  {
    sentence: "A second visitor gets a session id of its own, and no value of the first",
    async check(sessions) {
      const [one, two] = [new Browser(sessions), new Browser(sessions)];
      const first = await one.visit((session) => [session.set("who", "one"), session.id]);
      const second = await two.visit((session) => [session.get("who"), session.id]);
      assert.equal(second.told[0], undefined);
      assert.notEqual(first.told[1], second.told[1]);
    },
  },
  {
    sentence: "A session keeps its id across requests, renew changes the id, and clear removes the values",
    async check(sessions) {
      const browser = new Browser(sessions);
      const { told: id } = await browser.visit((session) => {
        session.set("kept", true);
        return session.id;
      });
      assert.equal((await browser.visit((session) => session.id)).told, id);
      await browser.visit((session) => session.renew());
      const renewed = await browser.visit((session) => [session.id, session.get("kept")]);
      assert.notEqual(renewed.told[0], id);
      assert.equal(renewed.told[1], true);
      await browser.visit((session) => session.clear());
      assert.equal((await browser.visit((session) => session.get("kept"))).told, undefined);
    },
  },
  {
    sentence: "A session that was only read sets no cookie",
    async check(sessions) {
      const browser = new Browser(sessions);
      await browser.visit((session) => session.set("a", 1));
      assert.equal((await browser.visit((session) => session.get("a"))).line, undefined);
    },
  },
];
