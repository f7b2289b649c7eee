import { openKernel, type Plugin } from "framewright/kernel";
import { type PasswordHasher, type PasswordOptions, passwords } from "framewright/plugins/passwords";
import { argon2id, argon2Verify } from "hash-wasm";
import { passwordHasherConformance } from "../../conformance/password_hasher.ts";
import { runCommand } from "../../generators/support.ts";
import { bootApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

const cheap = { memory: 64, iterations: 1 };

async function withHasher(options: PasswordOptions, story: (hasher: PasswordHasher) => Promise<void>): Promise<void> {
  const kernel = await openKernel([passwords(options)]);
  try {
    await story(kernel.service("passwordHasher"));
  } finally {
    await kernel.close();
  }
}

describe("passwords", (it) => {
  for (const { sentence, check } of passwordHasherConformance) it(sentence, () => withHasher(cheap, check));

  it("are argon2id PHC strings of 19 MiB and two passes, which other programs read and make", () =>
    withHasher({}, async (hasher) => {
      const hash = await hasher.hash("secret");
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
      assert.ok(await argon2Verify({ password: "secret", hash }));
      const cost = { memorySize: 4096, iterations: 3, parallelism: 2, hashLength: 24 };
      const foreign = await argon2id({ password: "secret", salt: "12345678", ...cost, outputType: "encoded" });
      assert.ok(await hasher.verify("secret", foreign));
      assert.ok(hasher.needsRehash(foreign));
    }));

  it("are the same however their characters were composed", () =>
    withHasher(cheap, async (hasher) => assert.ok(await hasher.verify("cafe\u0301", await hasher.hash("caf\u00e9")))));

  it("ask for a new hash when any of the parameters changed", async () => {
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

  it("refuse a stored hash that would take the machine's memory", () =>
    withHasher(cheap, async (hasher) => {
      const hash = (await hasher.hash("x")).replace("m=64", "m=99999999");
      assert.not(await hasher.verify("x", hash));
    }));

  it("turn away what does not fit into the queue, with 503 and Retry-After, and serve what does", () =>
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

  it("turn away what still waits when the application closes", async () => {
    const kernel = await openKernel([passwords({ workers: 1 })]);
    const hasher = kernel.service("passwordHasher");
    const hashes = Array.from({ length: 5 }, () => hasher.hash("x"));
    const settled = Promise.allSettled(hashes);
    await kernel.close();
    for (const one of await settled) assert.is(one.status === "rejected" && one.reason.status, 503);
    const late = await hasher.hash("x").catch((error: unknown) => error);
    assert.is((late as { status: number }).status, 503);
  });

  it("take options that make sense", async () => {
    const refused: [object, string][] = [
      [{ memory: 7 }, "FW_OPTION_INVALID"],
      [{ iterations: 0 }, "FW_OPTION_INVALID"],
      [{ queue: 1.5 }, "FW_OPTION_INVALID"],
      [{ worker: 1 }, "FW_OPTION_UNKNOWN"],
    ];
    for (const [options, code] of refused) await throwsCode(code, () => passwords(options as PasswordOptions));
  });

  it("hold no process, and let none end that awaits a hash", async () => {
    const script = `import { openKernel } from "framewright/kernel"; import { passwords } from "framewright/plugins/passwords";
      const kernel = await openKernel([passwords()]);
      console.log((await kernel.service("passwordHasher").hash("x")).slice(0, 9));`;
    const flags = ["--conditions=framewright-source", "--import", "tsx", "--input-type=module", "-e", script];
    const { code, out, err } = await runCommand(process.execPath, flags, `${import.meta.dirname}/../../..`);
    assert.is(code, 0, err);
    assert.is(out.trim(), "$argon2id");
  });
});

describe("A storm of fifty passwords", (it) => {
  it("leaves requests under 100 ms at p99", async () => {
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
      assert.ok(p99 < 100, `p99 was ${p99.toFixed(1)} ms of ${times.length} requests`);
    } finally {
      await app.close();
    }
  });
});
