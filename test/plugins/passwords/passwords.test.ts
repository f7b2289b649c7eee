import { openKernel, type Plugin } from "framewright/kernel";
import { type PasswordHasher, type PasswordOptions, passwords } from "framewright/plugins/passwords";
import { argon2id, argon2Verify } from "hash-wasm";
import { passwordHasherConformance } from "../../conformance/password_hasher.ts";
import { runCommand } from "../../generators/support.ts";
import { bootApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { within } from "../../support/pace.ts";

const cheap = { memory: 64, iterations: 1 };

process.env.FW_TEST_HASHES = "real"; // the costs that people get: these times are what is measured

async function withHasher(options: PasswordOptions, story: (hasher: PasswordHasher) => Promise<void>): Promise<void> {
  const kernel = await openKernel([passwords(options)]);
  try {
    await story(kernel.service("passwordHasher"));
  } finally {
    await kernel.close();
  }
}

describe("Password hashing", (it) => {
  for (const { sentence, check } of passwordHasherConformance) it(sentence, () => withHasher(cheap, check));

  it("Hashes are Argon2id PHC strings of 19 MiB and two passes that other implementations read and write", () =>
    withHasher({}, async (hasher) => {
      const hash = await hasher.hash("secret");
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
      assert.ok(await argon2Verify({ password: "secret", hash }));
      const cost = { memorySize: 4096, iterations: 3, parallelism: 2, hashLength: 24 };
      const foreign = await argon2id({ password: "secret", salt: "12345678", ...cost, outputType: "encoded" });
      assert.ok(await hasher.verify("secret", foreign));
      assert.ok(hasher.needsRehash(foreign));
    }));

  it("A password verifies in any Unicode normalization form", () =>
    withHasher(cheap, async (hasher) => assert.ok(await hasher.verify("cafe\u0301", await hasher.hash("caf\u00e9")))));

  it("A hash needs a rehash after any parameter has changed, and still verifies", async () => {
    let old = "";
    await withHasher(cheap, async (hasher) => {
      old = await hasher.hash("x");
    });
    for (const changed of [{ memory: 128 }, { iterations: 2 }, { parallelism: 2 }]) {
      await withHasher({ ...cheap, ...changed }, async (hasher) => {
        assert.ok(hasher.needsRehash(old));
        assert.ok(await hasher.verify("x", old), "and the old one still holds");
      });
    }
  });

  it("A stored hash with an excessive memory parameter verifies as false", () =>
    withHasher(cheap, async (hasher) => {
      const hash = (await hasher.hash("x")).replace("m=64", "m=99999999");
      assert.not(await hasher.verify("x", hash));
    }));

  it("Hashes that do not fit into the queue are refused with 503 and Retry-After, and the others are made", () =>
    withHasher({ ...cheap, queue: 3, workers: 1 }, async (hasher) => {
      const settled = await Promise.allSettled(Array.from({ length: 10 }, () => hasher.hash("x")));
      const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      assert.is(refused.length, 6); // one is hashed, three wait
      for (const { status, headers } of refused) {
        assert.is(status, 503);
        assert.match(headers["retry-after"], /^[1-9]\d*$/);
      }
      assert.ok(await hasher.verify("x", await hasher.hash("x")), "and it goes on");
    }));

  it("Pending and later hashes are refused with 503 when the application closes", async () => {
    const kernel = await openKernel([passwords({ workers: 1 })]);
    const hasher = kernel.service("passwordHasher");
    const hashes = Array.from({ length: 5 }, () => hasher.hash("x"));
    const settled = Promise.allSettled(hashes);
    await kernel.close();
    for (const one of await settled) assert.is(one.status === "rejected" && one.reason.status, 503);
    const late = await hasher.hash("x").catch((error: unknown) => error);
    assert.is((late as { status: number }).status, 503);
  });

  it("Invalid options are refused with FW_OPTION_INVALID, and unknown ones with FW_OPTION_UNKNOWN", async () => {
    const refused: [object, string][] = [
      [{ memory: 7 }, "FW_OPTION_INVALID"],
      [{ iterations: 0 }, "FW_OPTION_INVALID"],
      [{ queue: 1.5 }, "FW_OPTION_INVALID"],
      [{ worker: 1 }, "FW_OPTION_UNKNOWN"],
    ];
    for (const [options, code] of refused) await throwsCode(code, () => passwords(options as PasswordOptions));
  });

  it("A process stays alive until the hash that it awaits is made, and exits afterwards", async () => {
    const script = `import { openKernel } from "framewright/kernel"; import { passwords } from "framewright/plugins/passwords";
      const kernel = await openKernel([passwords()]);
      console.log((await kernel.service("passwordHasher").hash("x")).slice(0, 9));`;
    const flags = ["--conditions=framewright-source", "--import", "tsx", "--input-type=module", "-e", script];
    const { code, out, err } = await runCommand(process.execPath, flags, `${import.meta.dirname}/../../..`);
    assert.is(code, 0, err);
    assert.is(out.trim(), "$argon2id");
  });
});

describe("Fifty concurrent password hashes", (it) => {
  it("Requests take less than 100 ms at p99 while fifty passwords are hashed", async () => {
    const plugins: Plugin[] = [passwords()];
    const app = await bootApp(
      { "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);` },
      { plugins },
    );
    try {
      const hasher = app.application.kernel.service("passwordHasher");
      await hasher.hash("warm");
      for (let i = 0; i < 20; i++) await app.request("/healthz");
      const times: number[] = [];
      let hashing = true;
      const storm = Promise.all(Array.from({ length: 50 }, () => hasher.hash("correct horse"))).then(() => {
        hashing = false;
      });
      while (hashing) {
        const start = performance.now();
        assert.is((await app.request("/healthz")).status, 200);
        times.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await storm;
      times.sort((a, b) => a - b);
      const p99 = times[Math.floor(times.length * 0.99)]!;
      if (process.env.FW_SHOW_TIMES)
        console.log(`${times.length} requests, p50 ${times[times.length >> 1]} p99 ${p99}`);
      assert.ok(times.length > 20, `${times.length} requests`);
      assert.ok(p99 < within(100), `p99 was ${p99.toFixed(1)} ms of ${times.length} requests`);
    } finally {
      await app.close();
    }
  });
});
