import { request } from "node:http";
import { bootApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";

const files = {
  "plugins.config.ts": `import { definePlugins } from "framewright"; export default definePlugins([]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => routes.get("who", { to: "who#show" }));`,
  "app/controllers/who_controller.ts": `import { BaseController } from "framewright";
    export default class WhoController extends BaseController { static override guests = "admit" as const;
      show() { const { address, secure } = this.request; return this.json({ address, secure }); } }`,
};

type Seen = [address: string, secure: boolean];
/** What the application takes its client for, when this machine says so much of it. */
async function seenBy(
  values: Record<string, string>,
  asks: readonly Record<string, string | string[]>[],
): Promise<Seen[]> {
  const app = await bootApp(files, { values });
  try {
    const seen: Seen[] = [];
    for (const headers of asks) {
      const text = await new Promise<string>((resolve, reject) => {
        const asked = request(`${app.url}/who`, { headers }, async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve(Buffer.concat(chunks).toString());
        });
        asked.on("error", reject).end();
      });
      const { address, secure } = JSON.parse(text) as { address: string; secure: boolean };
      seen.push([address, secure]);
    }
    return seen;
  } finally {
    await app.close();
  }
}
const forwarded = (text: string | string[], proto = "https") => ({
  "x-forwarded-for": text,
  "x-forwarded-proto": proto,
});
const here = "127.0.0.1";

describe("Proxies in front", (it) => {
  it("Without a setting nothing that is forwarded is believed", async () => {
    assert.equal(await seenBy({}, [forwarded("203.0.113.9"), {}]), [
      [here, false],
      [here, false],
    ]);
  });
  it("TRUST_PROXY counts from the right, so that what the client wrote itself is not believed", async () => {
    assert.equal(await seenBy({ TRUST_PROXY: "1" }, [forwarded("6.6.6.6, 203.0.113.9"), {}]), [
      ["203.0.113.9", true],
      [here, false],
    ]);
    assert.equal(await seenBy({ TRUST_PROXY: "2" }, [forwarded("6.6.6.6, 203.0.113.9, 10.0.0.1")]), [
      ["203.0.113.9", true],
    ]);
  });
  it("TRUSTED_PROXIES believes listed addresses and networks alone, however many stand in front", async () => {
    const values = { TRUSTED_PROXIES: "127.0.0.0/8, 10.0.0.0/8, 2001:db8::/32" };
    const asks = [
      forwarded("203.0.113.9"),
      forwarded("6.6.6.6, 203.0.113.9"),
      forwarded("6.6.6.6, 203.0.113.9, 10.1.2.3"),
      forwarded("203.0.113.9, 2001:db8::7, 10.1.2.3", "http"),
      forwarded(["6.6.6.6", "203.0.113.9"]),
      forwarded("10.9.9.9"),
    ];
    assert.equal(await seenBy(values, asks), [
      ["203.0.113.9", true],
      ["203.0.113.9", true],
      ["203.0.113.9", true],
      ["203.0.113.9", false],
      ["203.0.113.9", true],
      ["10.9.9.9", true],
    ]);
  });
  it("What is no address ends the list: the client is the last proxy that is known", async () => {
    const asks = [forwarded("203.0.113.9, unknown, 10.1.2.3"), forwarded("<script>"), forwarded("")];
    assert.equal(
      (await seenBy({ TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" }, asks)).map(([address]) => address),
      ["10.1.2.3", here, here],
    );
  });
  it("A peer that is not listed is believed nothing", async () => {
    assert.equal(await seenBy({ TRUSTED_PROXIES: "10.0.0.0/8" }, [forwarded("203.0.113.9")]), [[here, false]]);
  });
  it("A list with something else in it, or beside TRUST_PROXY, is refused at boot", async () => {
    for (const wrong of ["nginx", "10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0.1:80", "*", "10.0.0.0/8/8"]) {
      const error = await throwsCode("FW_SETTING_INVALID", () =>
        bootApp(files, { values: { TRUSTED_PROXIES: wrong } }),
      );
      assert.match(error.message, /TRUSTED_PROXIES.*10\.0\.0\.0\/8 or ::1/);
    }
    const values = { TRUSTED_PROXIES: "::1", TRUST_PROXY: "1" };
    const error = await throwsCode("FW_SETTING_INVALID", () => bootApp(files, { values }));
    assert.match(error.message, /TRUSTED_PROXIES.*instead of TRUST_PROXY/);
  });
});
