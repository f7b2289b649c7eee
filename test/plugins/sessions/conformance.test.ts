import { randomUUID } from "node:crypto";
import { Session, type SessionData } from "framewright/host";
import { openKernel, type Settings } from "framewright/kernel";
import { type Sessions, sessions } from "framewright/plugins/sessions";
import { sessionsConformance } from "../../conformance/sessions.ts";
import { describe } from "../../support/index.ts";

const settings = {
  secrets: ["a secret of at least thirty-two bytes"],
  cookies: { path: "/", prefix: "" },
} as unknown as Settings;

/** As a third party would keep them: rows, and a cookie that names one. */
function rows(): Sessions {
  const kept = new Map<string, SessionData>();
  const keys = new WeakMap<Session, string>();
  return {
    cookieNames: ["row"],
    open({ cookies }) {
      const key = cookies.row ?? "";
      const session = new Session(() => kept.get(key) && structuredClone(kept.get(key)));
      if (kept.has(key)) keys.set(session, key);
      return session;
    },
    save(session) {
      const key = keys.get(session) ?? randomUUID();
      kept.set(key, structuredClone(session.toJSON()));
      return `row=${key}; Path=/; HttpOnly; SameSite=Lax`;
    },
  };
}

describe("Sessions in sealed cookies", (it) => {
  for (const { sentence, check } of sessionsConformance) {
    it(sentence, async () => {
      const kernel = await openKernel([sessions()], { settings });
      await check(kernel.service("sessions"));
      await kernel.close();
    });
  }
});

describe("Sessions in rows", (it) => {
  for (const { sentence, check } of sessionsConformance) it(sentence, () => check(rows()));
});
