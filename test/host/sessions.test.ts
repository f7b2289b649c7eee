import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Flash, type RequestContext, type Session } from "framewright";
import { definePlugins, type Settings } from "framewright/kernel";
import { type SessionOptions, sessions } from "framewright/plugins/sessions";
import { sealedCookies } from "../../plugins/sessions/sealed_cookies.ts";
import { openApp, type TestApp, writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";

const accept = { accept: "application/json" };
const [first, second, foreign] = ["first", "second", "foreign"].map((word) => word.repeat(10)) as [
  string,
  string,
  string,
];
const root = writeApp(attackedFiles);
const DAY = 86_400_000;

/** Tells a story against an application with settings of its own. */
async function withApp(
  values: Record<string, string>,
  options: SessionOptions,
  story: (app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await openApp(root, { values, plugins: definePlugins([sessions(options)]) });
  try {
    await story(app);
  } finally {
    await app.close();
  }
}
const cookieOf = (answer: Response): string | undefined => answer.headers.getSetCookie()[0]?.split(";")[0];
const visit = (app: TestApp, path: string, cookie?: string) =>
  app.request(path, { headers: { ...accept, ...(cookie ? { cookie } : {}) } });
const idOf = async (app: TestApp, cookie?: string) =>
  ((await (await visit(app, "/id", cookie)).json()) as { id: string }).id;

/** A session as the framework seals it, begun and last written when the test says. */
function sealedAt(
  secret: string,
  id: string,
  { begun, written }: { begun: number; written: number },
  more: object = {},
): string {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "framewright session", 32));
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const text = Buffer.concat([
    cipher.update(JSON.stringify({ d: { id, ...more }, b: begun, s: written })),
    cipher.final(),
  ]);
  return `fw_session=${Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url")}`;
}

describe("Cookie sessions", (it) => {
  it("A tampered, truncated or meaningless session cookie does not resume the session", () =>
    withApp({ SECRET_KEY_BASE: first }, {}, async (app) => {
      const cookie = cookieOf(await visit(app, "/id"))!;
      const id = await idOf(app, cookie);
      assert.is(await idOf(app, cookie), id);
      const [name, value] = cookie.split("=") as [string, string];
      const bytes = Buffer.from(value, "base64url");
      for (let at = 0; at < bytes.length; at += 3) {
        const meddled = Buffer.from(bytes);
        meddled[at]! ^= 1;
        assert.is((await idOf(app, `${name}=${meddled.toString("base64url")}`)) === id, false, `byte ${at}`);
      }
      for (const length of [0, 1, 12, 27, 28, 29, bytes.length - 1]) {
        assert.is(
          (await idOf(app, `${name}=${bytes.subarray(0, length).toString("base64url")}`)) === id,
          false,
          `${length} bytes`,
        );
      }
      for (const nonsense of ["", "x", "{}", "%00", "a".repeat(4000), "é"]) {
        assert.is(
          (await visit(app, "/id", `${name}=${encodeURIComponent(nonsense)}`)).status,
          200,
          nonsense.slice(0, 20),
        );
      }
    }));

  it("A session under a previous secret stays valid, and is sealed under the current secret when next written", async () => {
    let old = "";
    let id = "";
    await withApp({ SECRET_KEY_BASE: first }, {}, async (app) => {
      old = cookieOf(await visit(app, "/id"))!;
      id = await idOf(app, old);
    });
    let renewed = "";
    await withApp({ SECRET_KEY_BASE: second, SECRET_KEY_BASE_PREVIOUS: first }, {}, async (app) => {
      const answer = await visit(app, "/id", old);
      assert.is(((await answer.json()) as { id: string }).id, id);
      renewed = cookieOf(answer)!;
    });
    await withApp({ SECRET_KEY_BASE: second }, {}, async (app) => {
      assert.is(await idOf(app, renewed), id);
      assert.is((await idOf(app, old)) === id, false);
    });
    await withApp({ SECRET_KEY_BASE: foreign }, {}, async (app) => assert.is((await idOf(app, renewed)) === id, false));
  });

  it("A session ends after its idle time and after its absolute time", () =>
    withApp({ SECRET_KEY_BASE: first }, { idle: DAY, absolute: 7 * DAY }, async (app) => {
      const now = Date.now();
      const id = "a-known-id";
      const is = async (begun: number, written: number) =>
        (await idOf(app, sealedAt(first, id, { begun: now - begun, written: now - written }))) === id;
      assert.is(await is(0, 0), true);
      assert.is(await is(6.9 * DAY, 0.9 * DAY), true);
      assert.is(await is(2 * DAY, 1.1 * DAY), false);
      assert.is(await is(7.1 * DAY, 0), false);
    }));

  it("A session keeps its age when it is written again", () =>
    withApp({ SECRET_KEY_BASE: first }, { idle: DAY, absolute: 4000 }, async (app) => {
      const now = Date.now();
      const old = sealedAt(first, "a-known-id", { begun: now - 2500, written: now });
      const renewed = cookieOf(await visit(app, "/id", old))!;
      assert.is(await idOf(app, renewed), "a-known-id");
      await new Promise((resolve) => setTimeout(resolve, 1800));
      assert.is((await idOf(app, renewed)) === "a-known-id", false);
    }));

  it("A session cookie is written only when the session has changed or has been idle for a while", () =>
    withApp({ SECRET_KEY_BASE: first }, { idle: DAY }, async (app) => {
      assert.equal((await visit(app, "/plain")).headers.getSetCookie(), []);
      const cookie = cookieOf(await visit(app, "/tokens"))!;
      for (const path of ["/tokens", "/plain", "/shown", "/nowhere"]) {
        assert.equal((await visit(app, path, cookie)).headers.getSetCookie(), [], path);
      }
      const sealed = (written: number) =>
        sealedAt(first, "a-known-id", { begun: Date.now() - DAY, written }, { csrf: "known" });
      assert.equal((await visit(app, "/tokens", sealed(Date.now()))).headers.getSetCookie(), []);
      assert.is((await visit(app, "/tokens", sealed(Date.now() - DAY / 10))).headers.getSetCookie().length, 1);
    }));

  it("A value that makes the session too large fails with FW_SESSION_TOO_LARGE and sets no cookie", () =>
    withApp({ SECRET_KEY_BASE: first, NODE_ENV: "development", LOG_LEVEL: "silent" }, {}, async (app) => {
      assert.is((await visit(app, "/fill?bytes=1900")).status, 200);
      const answer = await visit(app, "/fill?bytes=3500");
      assert.is(answer.status, 500);
      assert.equal(answer.headers.getSetCookie(), []);
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      assert.is(code, "FW_SESSION_TOO_LARGE");
      assert.match(detail, /"filled".*\d+ bytes.*Keep ids/);
    }));

  it("A full session drops its oldest expendable values, and keeps application data and the sign-in", async () => {
    const settings = { secrets: [first], cookies: { path: "/", prefix: "" } } as unknown as Settings;
    const cookies = sealedCookies(settings, { idle: 1e9, absolute: 1e9 });
    const open = async (line?: string): Promise<Session> => {
      const cookie = line?.split(";")[0]?.split("=")[1];
      return cookies.open({ cookies: { fw_session: cookie } } as unknown as RequestContext);
    };
    const request = {} as RequestContext;
    const session = await open();
    session.set("cart", "c".repeat(1900));
    session.setReserved("signed_in", "k".repeat(400));
    for (let at = 0; at < 5; at++) session.setExpendable(`target${at}`, "t".repeat(600));
    session.setExpendable("target0", "again");
    const kept = await open(await cookies.save(session, request));
    assert.is((kept.get("cart") as string).length, 1900);
    assert.is((kept.get("signed_in") as string).length, 400);
    assert.is(kept.get("target0"), "again");
    assert.is(kept.get("target1"), undefined);
    kept.setExpendable("flash", "f".repeat(100_000));
    const next = await open(await cookies.save(kept, request));
    assert.is((next.get("signed_in") as string).length, 400);
    assert.is(next.get("flash"), undefined);
  });

  it("The session cookie is HttpOnly and SameSite=Lax, and over https Secure with the __Host- prefix", async () => {
    await withApp({ SECRET_KEY_BASE: first }, {}, async (app) => {
      const line = (await visit(app, "/id")).headers.getSetCookie()[0]!;
      assert.match(line, /^fw_session=[\w-]+; /);
      for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/"]) assert.ok(line.includes(attribute), attribute);
      assert.is(line.includes("Secure"), false);
    });
    await withApp({ SECRET_KEY_BASE: first, APP_URL: "https://shop.example" }, {}, async (app) => {
      const answer = await visit(app, "/id");
      const line = answer.headers.getSetCookie()[0]!;
      assert.match(line, /^__Host-fw_session=[\w-]+; /);
      for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"])
        assert.ok(line.includes(attribute), attribute);
      assert.is(line.includes("Domain"), false);
      assert.match(answer.headers.get("strict-transport-security") ?? "", /max-age=/);
      const planted = line.split(";")[0]!.replace("__Host-", "");
      assert.is((await idOf(app, planted)) === (await idOf(app, line.split(";")[0]!)), false);
    });
  });

  const cookiesOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  const shown = async (app: TestApp, cookie: string, headers: Record<string, string> = {}) => {
    const answer = await app.request("/shown", { headers: { ...accept, cookie, ...headers } });
    return { flash: ((await answer.json()) as { flash: unknown[] }).flash, lines: answer.headers.getSetCookie() };
  };

  it("A message that several requests add is shown once", () =>
    withApp({ SECRET_KEY_BASE: first }, {}, async (app) => {
      const one = cookiesOf(await visit(app, "/flash"));
      const again = cookiesOf(await app.request("/flash", { headers: { ...accept, cookie: one } }));
      const session = /fw_session=[\w-]+/.exec(one)![0];
      assert.is((await shown(app, `${session}; ${again}`)).flash.length, 1);
    }));

  it("A flash message is shown once, and survives HEAD requests and prefetches", () =>
    withApp({ SECRET_KEY_BASE: first }, {}, async (app) => {
      const waiting = cookiesOf(await visit(app, "/flash"));
      const looked = await app.request("/shown", { method: "HEAD", headers: { ...accept, cookie: waiting } });
      assert.equal(looked.headers.getSetCookie(), []);
      assert.equal((await shown(app, waiting, { "sec-purpose": "prefetch;prerender" })).lines, []);
      const { flash, lines } = await shown(app, waiting);
      assert.equal(flash, [{ kind: "success", message: "Shown once" }]);
      assert.is(lines.length, 1, "the session is not written for it");
      assert.match(lines[0]!, /^fw_flash=; Max-Age=0; .*HttpOnly/);
      const session = /fw_session=[\w-]+/.exec(waiting)![0];
      assert.equal((await shown(app, session)).flash, []);
    }));

  it("Messages of another session, and those that nobody signed, are not shown", () =>
    withApp({ SECRET_KEY_BASE: first }, {}, async (app) => {
      const [own, other] = [cookiesOf(await visit(app, "/flash")), cookiesOf(await visit(app, "/flash"))];
      const part = (cookies: string, name: string) => new RegExp(`${name}=[^;]+`).exec(cookies)![0];
      const session = part(own, "fw_session");
      assert.is((await shown(app, `${session}; ${part(own, "fw_flash")}`)).flash.length, 1);
      assert.equal((await shown(app, `${session}; ${part(other, "fw_flash")}`)).flash, []);
      assert.equal((await shown(app, part(own, "fw_flash"))).flash, [], "without the session");
      const text = Buffer.from('[{"kind":"success","message":"Forged"}]').toString("base64url");
      const signature = part(own, "fw_flash").split(".")[1];
      for (const forged of [
        text,
        `${text}.`,
        `${text}.${signature}`,
        `${text}.x`,
        ".",
        "x.y.z",
        `.${signature}`,
        "A".repeat(5000),
      ])
        assert.equal((await shown(app, `${session}; fw_flash=${forged}`)).flash, [], forged.slice(0, 40));
    }));

  it("The oldest of messages that are too long for a cookie are dropped", async () => {
    const session = {} as Record<string, unknown>;
    const place = {
      session: {
        get: (key: string) => session[key],
        setReserved(key: string, value: unknown) {
          session[key] = value;
        },
      },
      isSpeculative: false,
      sent: undefined as string | undefined,
      cookie: () => place.sent,
      setCookie(_: string, value: string) {
        place.sent = value;
      },
    };
    const flash = new Flash(place as never);
    for (const letter of ["a", "b", "c", "d", "e", "f"]) flash.add("info", letter.repeat(700));
    flash.save();
    const letters = new Flash(place as never).take().map(({ message }) => message[0]);
    assert.equal(letters, ["d", "e", "f"]);
    assert.ok(place.sent!.length < 3100);
    const long = new Flash(place as never);
    long.take();
    long.add("info", "x".repeat(10_000));
    long.save();
    assert.is(place.sent, "", "one that is too long by itself is dropped");
  });
});
